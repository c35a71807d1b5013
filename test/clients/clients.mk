# clients.mk: `make check-clients` runs real OpenCL programs from Debian on Weir. T=regex picks some.
check-clients: all
	@test/clients/run $(if $(T),'$(T)')
