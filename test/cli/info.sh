# weir info: text and JSON
. "$(dirname "$0")/common"
expect 0 'platform.*name +Weir.*device.*limits.*compiler.*weirc.*cache.*directory' weir info
expect 0 '"platform".*"name": "Weir".*"compute_units": [0-9]+.*"cache".*"entries"' weir info --json
expect 0 'compute units +1[^0-9]' env WEIR_CU=1 weir info
expect 0 'directory +off' env WEIR_CACHE_DIR= weir info
if command -v python3 >/dev/null; then
    weir info --json >info.json
    expect 0 '"Weir"' python3 -m json.tool info.json
fi
expect 1 "no OpenCL platform 'Nonesuch'.*Weir" weir info --platform Nonesuch
expect 1 'no OpenCL platform' env OCL_ICD_VENDORS=/nonexistent.icd weir info
expect 2 "info takes no 'x'" weir info x
# Without any setting the binary finds the library that lies beside it.
expect 0 'name +Weir' env -u OCL_ICD_VENDORS weir info
finish
