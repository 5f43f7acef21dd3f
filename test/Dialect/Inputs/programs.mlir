#map = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (s0)>
#map1 = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (s1)>
#map2 = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (s2)>
#map3 = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (s3, s4, s5)>
#map4 = affine_map<(d0, d1, d2, d3, d4)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (d0, d1 + d3, d2 + d4)>
#map5 = affine_map<(d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (d0 - 1, d1, d2)>
#map6 = affine_map<(d0, d1, d2, d3)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (d3)>
#map7 = affine_map<()[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (s3, s4 floordiv 8, s5 floordiv 8)>
#map8 = affine_map<(d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] -> (d0, d1 floordiv 8, d2 floordiv 8)>
#map9 = affine_map<()[s0, s1] -> (64, 36)>
#map10 = affine_map<()[s0, s1] -> (64)>
#map11 = affine_map<()[s0, s1] -> (12, 64)>
#map12 = affine_map<()[s0, s1] -> (3, 3)>
#map13 = affine_map<()[s0, s1] -> (12)>
#map14 = affine_map<()[s0, s1] -> (s0, s1)>
#map15 = affine_map<(d0, d1, d2, d3)[s0, s1] -> (d0 + d2, d1 + d3)>
#map16 = affine_map<(d0, d1)[s0, s1] -> (d0, d1)>
#set = affine_set<(d0, d1, d2, d3, d4)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (d3 + 1 == 0, d4 + 1 >= 0, -d4 + 1 >= 0)>
#set1 = affine_set<(d0, d1, d2, d3, d4)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (d3 - 1 == 0, d4 + 1 >= 0, -d4 + 1 >= 0)>
#set2 = affine_set<(d0, d1, d2, d3, d4)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (d3 == 0, d4 + 1 == 0)>
#set3 = affine_set<(d0, d1, d2, d3, d4)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (d3 == 0, d4 - 1 == 0)>
#set4 = affine_set<(d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (d0 - 1 >= 0)>
#set5 = affine_set<(d0, d1, d2, d3)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (d3 >= 0, -d3 + s1 - 1 >= 0)>
#set6 = affine_set<(d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (0 == 0)>
#set7 = affine_set<(d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6, s7, s8, s9] : (d1 - s6 >= 0, -d1 + s7 >= 0, d2 - s8 >= 0, -d2 + s9 >= 0)>
#set8 = affine_set<(d0, d1, d2, d3)[s0, s1] : (d2 + 1 >= 0, -d2 + 1 >= 0, d3 + 1 >= 0, -d3 + 1 >= 0)>
module {
  module {
    lci.program @program sizes ["BPE", "N", "VQ", "T", "W", "H", "x1", "x2", "y1", "y2"] {
      lci.value @Txt token vocabulary #map shape #map1 boundary [#lci.boundary<open>] {
      }
      lci.value @Vid token vocabulary #map2 shape #map3 boundary [#lci.boundary<open>, #lci.boundary<open>, #lci.boundary<open>] {
      }
      lci.value @MaskPlan event attributes {lci.comments = {behind = "// \E8\B0\83\E5\BA\A6\E6\97\A5\E5\BF\97\EF\BC\88CRDT\EF\BC\89"}} {
      }
      lci.value @RuleSet rule attributes {lci.comments = {behind = "// \E7\BA\A6\E6\9D\9F\E9\9B\86\E5\90\88\EF\BC\88CRDT\EF\BC\89"}} {
      }
      lci.visible @Vid sees @Vid[#map4] where [#set, #set1, #set2, #set3] {lci.names = ["t", "x", "y", "dx", "dy"]}
      lci.visible @Vid sees @Vid[#map5] where [#set4] {lci.names = ["t", "x", "y"]}
      lci.visible @Vid sees @Txt[#map6] where [#set5] {lci.comments = {behind = "// \E5\85\A8 caption \E5\8F\AF\E8\A7\81"}, lci.names = ["t", "x", "y", "i0"]}
      lci.value @Coarse token vocabulary #map2 shape #map7 boundary [#lci.boundary<open>, #lci.boundary<open>, #lci.boundary<open>] {
      }
      lci.visible @Vid sees @Coarse[#map8] where [#set6] {lci.names = ["t", "x", "y"]}
      lci.rule @LocalGen on @Vid attributes {lci.names = ["t", "x", "y"]} {
      ^bb0(%arg0: index, %arg1: index, %arg2: index):
        lci.declare_read "neighbors" [#set, #set1, #set2, #set3](%arg0, %arg1, %arg2) {
        ^bb0(%arg3: index, %arg4: index, %arg5: index):
          %result, %present_6 = lci.read @Vid[#map4] (%arg0, %arg1, %arg2, %arg3, %arg4) : i64
          lci.yield %result present %present_6 : i64
        } {lci.names = ["d0", "d1"]}
        lci.declare_read "prev_frame" [#set6](%arg0, %arg1, %arg2) {
        ^bb0(%arg3: index):
          %result, %present_6 = lci.read @Vid[#map5] (%arg0, %arg1, %arg2) : i64
          lci.yield %result present %present_6 : i64
        }
        lci.declare_read "Txt" [#set5](%arg0, %arg1, %arg2) {
        ^bb0(%arg3: index, %arg4: index):
          %result, %present_6 = lci.read @Txt[#map6] (%arg0, %arg1, %arg2, %arg3) : i64
          lci.yield %result present %present_6 : i64
        } {lci.names = ["i0"]}
        lci.declare_read "Coarse" [#set6](%arg0, %arg1, %arg2) {
        ^bb0(%arg3: index):
          %result, %present_6 = lci.read @Coarse[#map8] (%arg0, %arg1, %arg2) {lci.optional} : i64
          lci.yield %result present %present_6 : i64
        }
        %members, %present = lci.collect [#set, #set1, #set2, #set3](%arg0, %arg1, %arg2) : tensor<?xi64>, tensor<?xi1> {
        ^bb0(%arg3: index, %arg4: index, %arg5: index):
          %result, %present_6 = lci.read @Vid[#map4] (%arg0, %arg1, %arg2, %arg3, %arg4) : i64
          lci.yield %result present %present_6 : i64
        } {lci.names = ["d0", "d1"]}
        %members_0, %present_1 = lci.collect [#set6](%arg0, %arg1, %arg2) : tensor<?xi64>, tensor<?xi1> {
        ^bb0(%arg3: index):
          %result, %present_6 = lci.read @Vid[#map5] (%arg0, %arg1, %arg2) : i64
          lci.yield %result present %present_6 : i64
        }
        %members_2, %present_3 = lci.collect [#set5](%arg0, %arg1, %arg2) : tensor<?xi64>, tensor<?xi1> {
        ^bb0(%arg3: index, %arg4: index):
          %result, %present_6 = lci.read @Txt[#map6] (%arg0, %arg1, %arg2, %arg3) : i64
          lci.yield %result present %present_6 : i64
        } {lci.names = ["i0"]}
        %members_4, %present_5 = lci.collect [#set6](%arg0, %arg1, %arg2) : tensor<?xi64>, tensor<?xi1> {
        ^bb0(%arg3: index):
          %result, %present_6 = lci.read @Coarse[#map8] (%arg0, %arg1, %arg2) {lci.optional} : i64
          lci.yield %result present %present_6 : i64
        }
        %0 = lci.evaluate "Model"(%members, %present, %members_0, %present_1, %members_2, %present_3, %members_4, %present_5) : (tensor<?xi64>, tensor<?xi1>, tensor<?xi64>, tensor<?xi1>, tensor<?xi64>, tensor<?xi1>, tensor<?xi64>, tensor<?xi1>) -> !lci.answer
        lci.emit %0 : !lci.answer score {
        ^bb0(%arg3: i64):
          %1 = lci.evaluate "ModelScore"(%members, %present, %members_0, %present_1, %members_2, %present_3, %members_4, %present_5) : (tensor<?xi64>, tensor<?xi1>, tensor<?xi64>, tensor<?xi1>, tensor<?xi64>, tensor<?xi1>, tensor<?xi64>, tensor<?xi1>) -> !lci.answer
          lci.yield %1 : !lci.answer
        }
      }
      lci.constraint @HardLock forbid on @Vid where [#set7] priority 100 attributes {lci.names = ["t", "", ""]} {
      ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: i64):
        %0 = lci.changes %arg3 : i64
        lci.yield %0 : i1
      }
      lci.constraint @TextPaint require on @Vid region "sky" axis 1 priority 50 attributes {lci.names = ["t", "", ""]} {
      ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: i64):
        %0 = lci.in_palette %arg3, "blue-ish"
        lci.yield %0 : i1
      }
      lci.constraint @Topology forbid on @Vid priority 1000 attributes {lci.names = ["t", "x", "y"]} {
      ^bb0(%arg0: index, %arg1: index, %arg2: index, %arg3: i64):
        %0 = lci.reads_future
        lci.yield %0 : i1
      }
      lci.commit @Vid using satisfy_max {
      }
      lci.rule @Schedule on @MaskPlan {
        %0 = lci.epoch
        %1 = lci.sample_tiles red_black epoch %0
        lci.emit %1 : !lci.event
      }
      lci.model "Model"
      lci.model "ModelScore"
      lci.region "sky"
      lci.palette "blue-ish"
    }
  }
  module {
    lci.program @program sizes ["W", "H"] {
      lci.param @W1 f32 shape #map9 attributes {lci.comments = {above = ["// A growing automaton. Each cell shows its network what it holds and the slopes around it; half of the", "// cells, drawn anew in each epoch, are awake and change by what the network answers."]}} {
      }
      lci.param @b1 f32 shape #map10 {
      }
      lci.param @W2 f32 shape #map11 {
      }
      lci.param @kx f32 shape #map12 {
      }
      lci.param @ky f32 shape #map12 {
      }
      lci.value @S latent vocabulary #map13 shape #map14 boundary [#lci.boundary<open>, #lci.boundary<open>] attributes {lci.names = ["x", "y"]} {
      ^bb0(%arg0: index, %arg1: index):
        %0 = arith.index_cast %arg0 : index to i64
        %1 = lci.size "W"
        %c2_i64 = arith.constant 2 : i64
        %2 = lci.floordiv %1, %c2_i64 : i64
        %3 = arith.cmpi eq, %0, %2 : i64
        %4 = arith.index_cast %arg1 : index to i64
        %5 = lci.size "H"
        %c2_i64_0 = arith.constant 2 : i64
        %6 = lci.floordiv %5, %c2_i64_0 : i64
        %7 = arith.cmpi eq, %4, %6 : i64
        %8 = arith.andi %3, %7 : i1
        %cst = arith.constant 1.000000e+00 : f32
        %cst_1 = arith.constant 0.000000e+00 : f32
        %9 = arith.select %8, %cst, %cst_1 : f32
        %cst_2 = arith.constant 0.000000e+00 : f32
        %cst_3 = arith.constant 0.000000e+00 : f32
        %cst_4 = arith.constant 0.000000e+00 : f32
        %cst_5 = arith.constant 1.000000e+00 : f32
        %cst_6 = arith.constant 1.000000e+00 : f32
        %cst_7 = arith.constant 1.000000e+00 : f32
        %cst_8 = arith.constant 1.000000e+00 : f32
        %cst_9 = arith.constant 1.000000e+00 : f32
        %cst_10 = arith.constant 1.000000e+00 : f32
        %cst_11 = arith.constant 1.000000e+00 : f32
        %cst_12 = arith.constant 1.000000e+00 : f32
        %cst_13 = arith.constant 1.000000e+00 : f32
        %10 = lci.concat %cst_2, %cst_3, %cst_4, %cst_5, %cst_6, %cst_7, %cst_8, %cst_9, %cst_10, %cst_11, %cst_12, %cst_13 : (f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32) -> tensor<12xf32>
        %11 = lci.spread %9 to #map13 : tensor<12xf32>
        %12 = arith.mulf %11, %10 : tensor<12xf32>
        lci.yield %12 : tensor<12xf32>
      }
      lci.visible @S sees @S[#map15] where [#set8] {lci.names = ["x", "y", "dx", "dy"]}
      lci.rule @Grow on @S attributes {lci.names = ["x", "y"]} {
      ^bb0(%arg0: index, %arg1: index):
        %result, %present = lci.reduce sum [#set8](%arg0, %arg1) : tensor<12xf32> {
        ^bb0(%arg2: index, %arg3: index, %arg4: index):
          %18 = arith.index_cast %arg2 : index to i64
          %c1_i64 = arith.constant 1 : i64
          %19 = arith.addi %18, %c1_i64 : i64
          %20 = arith.index_cast %arg3 : index to i64
          %c1_i64_9 = arith.constant 1 : i64
          %21 = arith.addi %20, %c1_i64_9 : i64
          %22 = lci.param_value @kx[%19, %21] : f32
          %result_10, %present_11 = lci.read @S[#map15] (%arg0, %arg1, %arg2, %arg3) : tensor<12xf32>
          %23 = lci.spread %22 to #map13 : tensor<12xf32>
          %24 = arith.mulf %23, %result_10 : tensor<12xf32>
          lci.yield %24 present %present_11 : tensor<12xf32>
        } {lci.names = ["dx", "dy"]}
        %0 = lci.let "slopeX" = %result : tensor<12xf32>
        %result_0, %present_1 = lci.reduce sum [#set8](%arg0, %arg1) : tensor<12xf32> {
        ^bb0(%arg2: index, %arg3: index, %arg4: index):
          %18 = arith.index_cast %arg2 : index to i64
          %c1_i64 = arith.constant 1 : i64
          %19 = arith.addi %18, %c1_i64 : i64
          %20 = arith.index_cast %arg3 : index to i64
          %c1_i64_9 = arith.constant 1 : i64
          %21 = arith.addi %20, %c1_i64_9 : i64
          %22 = lci.param_value @ky[%19, %21] : f32
          %result_10, %present_11 = lci.read @S[#map15] (%arg0, %arg1, %arg2, %arg3) : tensor<12xf32>
          %23 = lci.spread %22 to #map13 : tensor<12xf32>
          %24 = arith.mulf %23, %result_10 : tensor<12xf32>
          lci.yield %24 present %present_11 : tensor<12xf32>
        } {lci.names = ["dx", "dy"]}
        %1 = lci.let "slopeY" = %result_0 : tensor<12xf32>
        %result_2, %present_3 = lci.read @S[#map16] (%arg0, %arg1) : tensor<12xf32>
        %2 = lci.concat %result_2, %0, %1 : (tensor<12xf32>, tensor<12xf32>, tensor<12xf32>) -> tensor<36xf32>
        %3 = lci.param_value @W1 : tensor<64x36xf32>
        %4 = lci.matvec %3, %2 : (tensor<64x36xf32>, tensor<36xf32>) -> tensor<64xf32>
        %5 = lci.param_value @b1 : tensor<64xf32>
        %6 = arith.addf %4, %5 : tensor<64xf32>
        %cst = arith.constant 0.000000e+00 : f32
        %7 = lci.spread %cst to #map10 : tensor<64xf32>
        %8 = arith.maximumf %6, %7 : tensor<64xf32>
        %9 = lci.param_value @W2 : tensor<12x64xf32>
        %10 = lci.matvec %9, %8 : (tensor<12x64xf32>, tensor<64xf32>) -> tensor<12xf32>
        %11 = lci.let "change" = %10 : tensor<12xf32>
        %cst_4 = arith.constant 5.000000e-01 : f32
        %12 = lci.bernoulli %cst_4 stream <7, 0>
        %result_5, %present_6 = lci.read @S[#map16] (%arg0, %arg1) : tensor<12xf32>
        %13 = arith.addf %result_5, %11 : tensor<12xf32>
        %14 = arith.andi %present_6, %present_3 : i1
        %result_7, %present_8 = lci.read @S[#map16] (%arg0, %arg1) : tensor<12xf32>
        %15 = arith.select %12, %13, %result_7 : tensor<12xf32>
        %16 = arith.select %12, %14, %present_8 : i1
        %17 = lci.unwrap %15, %16 : tensor<12xf32>
        lci.emit %17 : tensor<12xf32>
      }
      lci.commit @S using accept {
      }
    }
  }
}

