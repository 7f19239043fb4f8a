// Chooses the library; makes copies where a layout or type is not for it.

#include <sinter/runtime/cpu/matrix_product.h>

#include <sinter/runtime/cpu/allocator.h>
#include <sinter/runtime/interpreter/copy_elements.h>
#include <sinter/runtime/primitives/primitive_table.h>

#include <cstring>

namespace sinter::runtime {

namespace {

// A row-major copy, or a result to be converted.
class OwnMatrix {
 public:
  OwnMatrix(const MatrixBatch& shape, DType dtype) : matrix(shape) {
    matrix.dtype = dtype;
    matrix.column_stride = 1;
    matrix.row_stride = shape.columns;
    matrix.batch_stride = shape.rows * shape.columns;
    matrix.data = allocate_host(bytes());
  }
  OwnMatrix(const OwnMatrix&) = delete;
  ~OwnMatrix() { free_host(matrix.data, bytes()); }

  int64_t elements() const { return matrix.count * matrix.rows * matrix.columns; }
  int64_t bytes() const { return elements() * byte_size(matrix.dtype); }

  MatrixBatch matrix;
};

void copy_elements(const MatrixBatch& from, const OwnMatrix& to) {
  int64_t extents[] = {from.count, from.rows, from.columns};
  int64_t strides[] = {from.batch_stride, from.row_stride, from.column_stride};
  gather_elements(to.matrix.data, from.data, extents, strides, static_cast<int>(byte_size(from.dtype)));
}

void convert(const void* from, DType from_type, void* to, DType to_type, int64_t n) {
  primitives(detect_isa())
      .convert[static_cast<int>(from_type)][static_cast<int>(to_type)](to, from, nullptr, nullptr, n);
}

// A leading dimension as BLAS has it: one direction without gaps, the other with a step over it.
bool suits_libraries(const MatrixBatch& m) {
  bool by_rows = (m.column_stride == 1 || m.columns == 1) && (m.row_stride >= m.columns || m.rows == 1);
  bool by_columns = (m.row_stride == 1 || m.rows == 1) && (m.column_stride >= m.rows || m.columns == 1);
  bool is_batch = m.count == 1 || m.batch_stride != 0;  // oneDNN knows no repeated matrix
  return is_batch && (by_rows || by_columns);
}

// Strides of directions of one element say nothing: they become what libraries expect.
MatrixBatch normalized(MatrixBatch m) {
  if (m.rows == 1 && m.columns == 1) m.row_stride = m.column_stride = 1;
  if (m.columns == 1 && m.rows > 1 && m.row_stride != 1) m.column_stride = 1;
  if (m.columns == 1 && m.rows > 1 && m.row_stride == 1) m.column_stride = m.rows;
  if (m.rows == 1 && m.columns > 1) m.row_stride = m.column_stride == 1 ? m.columns : 1;
  return m;
}

void multiply_suited(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  bool has_library = true;
  switch (c.dtype) {
    case DType::f32:
    case DType::bf16: has_library = multiply_with_dnnl(a, b, c); break;
    case DType::f64: has_library = multiply_with_openblas(a, b, c); break;
    default: return multiply_integers(a, b, c);
  }
  if (!has_library) multiply_by_loops(a, b, c);
}

// One operand after the other is copied if it must be.
void multiply_any_strides(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  if (!suits_libraries(a)) {
    OwnMatrix copy(a, a.dtype);
    copy_elements(a, copy);
    return multiply_any_strides(copy.matrix, b, c);
  }
  if (!suits_libraries(b)) {
    OwnMatrix copy(b, b.dtype);
    copy_elements(b, copy);
    return multiply_any_strides(a, copy.matrix, c);
  }
  multiply_suited(normalized(a), normalized(b), c);
}

// f16 by way of f32, rounded once or not at all.
void multiply_f16(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  OwnMatrix narrow_a(a, DType::f16), narrow_b(b, DType::f16), wide_a(a, DType::f32), wide_b(b, DType::f32);
  copy_elements(a, narrow_a);
  copy_elements(b, narrow_b);
  convert(narrow_a.matrix.data, DType::f16, wide_a.matrix.data, DType::f32, narrow_a.elements());
  convert(narrow_b.matrix.data, DType::f16, wide_b.matrix.data, DType::f32, narrow_b.elements());
  if (c.dtype == DType::f32) return multiply_any_strides(wide_a.matrix, wide_b.matrix, c);
  OwnMatrix wide_c(c, DType::f32);
  multiply_any_strides(wide_a.matrix, wide_b.matrix, wide_c.matrix);
  convert(wide_c.matrix.data, DType::f32, c.data, DType::f16, wide_c.elements());
}

}  // namespace

MatrixBatch MatrixBatch::row_range(int64_t begin, int64_t end) const {
  MatrixBatch part = *this;
  part.data = static_cast<char*>(data) + begin * row_stride * byte_size(dtype);
  part.rows = end - begin;
  return part;
}

void multiply(const MatrixBatch& a, const MatrixBatch& b, const MatrixBatch& c) {
  if (c.count == 0 || c.rows == 0 || c.columns == 0) return;
  if (a.columns == 0) {
    std::memset(c.data, 0, c.count * c.rows * c.columns * byte_size(c.dtype));
    return;
  }
  if (a.dtype == DType::f16) return multiply_f16(a, b, c);
  multiply_any_strides(a, b, c);
}

}  // namespace sinter::runtime
