//===- VectorOps.td - Vectors of numbers --------------------*- tablegen -*===//
//
// Vectors as cells of latent values and as whole parameters. Elementwise operations are upstream's;
// these change the length or reduce to a number. Above level 3 a vector is a tensor of rank 1,
// whose length is unknown until the program is bound; a tick computes with `vector`.
//
//===----------------------------------------------------------------------===//

#ifndef LCI_DIALECT_VECTOROPS_TD
#define LCI_DIALECT_VECTOROPS_TD

include "LCI/Dialect/LCITypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def LCI_Vector : 1DTensorOf<[F32]>;
def LCI_VectorOrTruths : 1DTensorOf<[F32, I1]>;
def LCI_AnyVector : AnyTypeOf<[LCI_Vector, VectorOfRankAndType<[1], [F32]>]>;

def LCI_SpreadOp : LCI_Op<"spread", [Pure, TypesMatchWith<"the number is what the vector holds",
    "result", "number", "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "a number or boolean as every component of a vector";
  let description = [{
    Every component of the result is `number`. `length` gives their number from the program's sizes.

    Example:
    ```mlir
    lci.program @p sizes ["D"] {
      lci.value @S latent vocabulary affine_map<()[s0] -> (s0)> shape affine_map<()[s0] -> (4)>
        boundary [#lci.boundary<open>] {
      ^bb0(%i: index):
        %zero = arith.constant 0.0 : f32
        %v = lci.spread %zero to affine_map<()[s0] -> (s0)> : tensor<?xf32>
        lci.yield %v : tensor<?xf32>
      }
    }
    ```

    Constraints:
    - the map has no dimension and one result.
  }];
  let arguments = (ins
    Arg<AnyTypeOf<[F32, I1]>, "what every component is">:$number,
    Arg<AffineMapAttr, "the number of components, over the sizes">:$length);
  let results = (outs
    Res<LCI_VectorOrTruths, "as many equal components as the length says">:$result);
  let assemblyFormat = "$number `to` $length attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def LCI_ComponentOp : LCI_Op<"component", [Pure, TypesMatchWith<"the result is an element of the vector",
    "vector", "result", "::llvm::cast<::mlir::ShapedType>($_self).getElementType()">]> {
  let summary = "one component of a vector";
  let description = [{
    The component of `vector` at `index`; an index outside means the nearest component. Of a vector
    of booleans, as a comparison of vectors gives, it is an `i1`.

    Example:
    ```mlir
    func.func @f(%v: tensor<4xf32>, %i: i64) -> f32 {
      %x = lci.component %v[%i] : tensor<4xf32>
      return %x : f32
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins
    Arg<LCI_VectorOrTruths, "the components to choose from">:$vector,
    Arg<I64, "the position of the component, from 0; outside, the nearest one is meant">:$index);
  let results = (outs Res<AnyTypeOf<[F32, I1]>, "the component at this position">:$result);
  let assemblyFormat = "$vector `[` $index `]` attr-dict `:` type($vector)";
}

def LCI_DotOp : LCI_Op<"dot", [Pure, SameTypeOperands]> {
  let summary = "the scalar product of two vectors";
  let description = [{
    The scalar product of `lhs` and `rhs` by fused multiply-adds in the order of the index, beginning
    with the product of the first components.

    Example:
    ```mlir
    func.func @f(%v: tensor<4xf32>) -> f32 {
      %x = lci.dot %v, %v : tensor<4xf32>
      return %x : f32
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins
    Arg<LCI_Vector, "the left factors">:$lhs,
    Arg<LCI_Vector, "the right factors, as many of them">:$rhs);
  let results = (outs
    Res<F32, "the sum of products, by fused multiply-adds in the order of the index">:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

def LCI_MatVecOp : LCI_Op<"matvec", [Pure]> {
  let summary = "a matrix times a vector";
  let description = [{
    Component `i` is `lci.dot` of row `i` of `matrix` and `vector`. It is the only operation on vectors
    that also occurs in ticks, on upstream's vectors; `lci-outline-networks` removes it.

    Example:
    ```mlir
    func.func @f(%m: tensor<2x4xf32>, %v: tensor<4xf32>) -> tensor<2xf32> {
      %w = lci.matvec %m, %v : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2xf32>
      return %w : tensor<2xf32>
    }
    ```

    Constraints:
    - the matrix has as many columns as the vector has components and as many rows as the result;
    - vector and result are both tensors or both upstream's vectors.
  }];
  let arguments = (ins
    Arg<2DTensorOf<[F32]>, "one row for each component of the result">:$matrix,
    Arg<LCI_AnyVector, "one component for each column of the matrix">:$vector);
  let results = (outs Res<LCI_AnyVector, "the scalar product of each row with the vector">:$result);
  let assemblyFormat = "$matrix `,` $vector attr-dict `:` functional-type(operands, $result)";
  let hasVerifier = 1;
}

def LCI_ConcatOp : LCI_Op<"concat", [Pure]> {
  let summary = "concatenation of numbers and vectors";
  let description = [{
    The `parts` in order as one vector.

    Example:
    ```mlir
    func.func @f(%x: f32, %v: tensor<4xf32>) -> tensor<5xf32> {
      %w = lci.concat %x, %v : (f32, tensor<4xf32>) -> tensor<5xf32>
      return %w : tensor<5xf32>
    }
    ```

    Constraints:
    - the result is as long as its parts together, where all lengths are known.
  }];
  let arguments = (ins
    Arg<Variadic<AnyTypeOf<[F32, LCI_Vector]>>,
      "the numbers and vectors in order; a number is one component">:$parts);
  let results = (outs Res<LCI_Vector, "the components of all parts">:$result);
  let assemblyFormat = "$parts attr-dict `:` functional-type($parts, $result)";
  let hasVerifier = 1;
}

def LCI_SoftmaxOp : LCI_Op<"softmax", [Pure, SameOperandsAndResultType]> {
  let summary = "numbers from zero to one, of sum one, by the exponentials of a vector";
  let description = [{
    With the largest component *m* of `vector`, `e_i` is exp(x_i − m), and the result is `e_i` divided
    by the sum of all, which is taken in the order of the index.

    Example:
    ```mlir
    func.func @f(%v: tensor<4xf32>) -> tensor<4xf32> {
      %w = lci.softmax %v : tensor<4xf32>
      return %w : tensor<4xf32>
    }
    ```

    Constraints: none.
  }];
  let arguments = (ins
    Arg<LCI_Vector, "the exponents, of which the largest is subtracted first">:$vector);
  let results = (outs
    Res<LCI_Vector, "the exponential of each component divided by the sum of all">:$result);
  let assemblyFormat = "$vector attr-dict `:` type($result)";
}

#endif // LCI_DIALECT_VECTOROPS_TD
