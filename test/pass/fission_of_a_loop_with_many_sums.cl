// A loop that carries more vectors than there are registers runs several times, each time for some of them.
// RUN: %weirc test/kernel/loop/more_sums_than_registers.cl --kernel k --width 8 --cpu x86-64-v3 --print-after fission -o /dev/null 2>&1 | FileCheck %s
// CHECK: define void @weir.k
// CHECK-COUNT-3: {{^part[0-9]*:}}
