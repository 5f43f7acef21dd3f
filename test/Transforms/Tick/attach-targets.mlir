// RUN: lmpm-opt %s --lci-attach-cpu-target | FileCheck %s --check-prefix=CPU
// RUN: lmpm-opt %s --lci-attach-cpu-target="vector-bits=256 vector-registers=16 threads=3" | FileCheck %s --check-prefix=AVX2
// RUN: lmpm-opt %s --lci-attach-cpu-target=vector-bits=128 --lci-attach-cpu-target=threads=2 | FileCheck %s --check-prefix=BOTH
// RUN: lmpm-opt %s --lci-attach-cpu-target=threads=2 --lci-attach-gpu-target=multiprocessors=20 --lci-attach-gpu-target=chip=sm_90a | FileCheck %s --check-prefix=GPU
// RUN: lmpm-opt %s --lci-attach-gpu-target="features=+ptx82 block-threads=64 tf32" --lci-attach-gpu-target | FileCheck %s --check-prefix=KEPT
// RUN: not lmpm-opt %s --lci-attach-cpu-target=vector-bits=16 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not lmpm-opt %s --lci-attach-cpu-target=vector-registers=0 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not lmpm-opt %s --lci-attach-cpu-target=threads=1025 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not lmpm-opt %s --lci-attach-gpu-target=block-threads=2000 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not lmpm-opt %s --lci-attach-gpu-target=multiprocessors=0 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not lmpm-opt %s --lci-attach-gpu-target=chip=sm_70 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not lmpm-opt %s --lci-attach-gpu-target="chip=sm_75 tf32" 2>&1 | FileCheck %s --check-prefix=TF32
// A module says what it is compiled for; what no option says is as the module has it, if the target is of that kind.

// CPU: module attributes {lci.target = #lci.cpu}
// AVX2: module attributes {lci.target = #lci.cpu<vector_bits = 256, vector_registers = 16, threads = 3>}
// BOTH: module attributes {lci.target = #lci.cpu<vector_bits = 128, threads = 2>}
// GPU: module attributes {lci.target = #lci.gpu<chip = "sm_90a", multiprocessors = 20>}
// KEPT: module attributes {lci.target = #lci.gpu<features = "+ptx82", block_threads = 64, tf32 = true>}
// BITS: error: expected 'vector-bits' from 32 to 4096, but got 16
// REGISTERS: error: expected 'vector-registers' from 1 to 1024, but got 0
// THREADS: error: expected 'threads' from 1 to 1024, but got 1025
// BLOCK: error: expected 'block-threads' from 1 to 1024, but got 2000
// NONE: error: expected 'multiprocessors' from 1 to 1048576, but got 0
// CHIP: :[[@LINE+3]]:1: error: expected a chip that the compiler knows (sm_75, {{.*}}), but got 'sm_70'
// TF32: :[[@LINE+2]]:1: error: expected a chip from sm_80 on, whose tensor cores know TF32, but got 'sm_75'

module {
}
