// RUN: lmpm-opt %s --lci-expand-math --verify-diagnostics --split-input-file
// Constants are splats, so a shape that is not static is refused by name.

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{expected a static shape to expand 'lci.elementary', but got 'tensor<?xf32>'}}
  %y = lci.elementary exp %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

// -----

func.func @dynamic_integers(%x: tensor<?xi64>, %y: tensor<?xi64>) -> tensor<?xi64> {
  // expected-error @below {{expected a static shape to expand 'lci.floormod', but got 'tensor<?xi64>'}}
  %z = lci.floormod %x, %y : tensor<?xi64>
  return %z : tensor<?xi64>
}

// -----

func.func @dynamic_upstream(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @below {{expected a static shape to expand 'math.exp', but got 'tensor<?xf32>'}}
  %y = math.exp %x : tensor<?xf32>
  return %y : tensor<?xf32>
}
