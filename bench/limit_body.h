const struct limit LIMITS[] = {{NULL, NULL}};
