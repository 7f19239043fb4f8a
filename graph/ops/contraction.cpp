// Sums of products of several tensors over common dims: einsum, tensordot, bilinear forms.

#include <sinter/graph/ops/contraction.h>

#include <sinter/graph/ops/define.h>
#include <sinter/graph/ops/diagonal.h>
#include <sinter/graph/ops/dims.h>
#include <sinter/graph/ops/functions/linear_algebra.h>
#include <sinter/graph/ops/matrix_arguments.h>
#include <sinter/graph/ops/ops.h>

#include <algorithm>

namespace sinter {

namespace {

SymInt product_of_sizes(const Tensor& x, const Dims& dims) {
  SymInt count = 1;
  for (int64_t dim : dims) count *= x.sizes()[dim];
  return count;
}

Dims without(int64_t rank, const Dims& dims) {
  Dims rest;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (std::find(dims.begin(), dims.end(), dim) == dims.end()) rest.push_back(dim);
  return rest;
}

Dims concatenated(Dims a, const Dims& b) {
  for (int64_t dim : b) a.push_back(dim);
  return a;
}

// --- einsum -----------------------------------------------------------------------------------------------------

// Labels are letters; dims that an ellipsis stands for get the labels from first_ellipsis on, right-aligned.
using Label = int;
using Labels = std::vector<Label>;
constexpr Label ellipsis = 1000, first_ellipsis = 1001;

Labels parse_labels(const OpArgs& args, std::string_view text) {
  Labels labels;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == ' ') continue;
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter) {
      labels.push_back(c);
    } else if (text.substr(i, 3) == "..." && std::find(labels.begin(), labels.end(), ellipsis) == labels.end()) {
      labels.push_back(ellipsis);
      i += 2;
    } else {
      args.fail(ErrorKind::argument, fmt::format("'{}' in subscripts \"{}\"", c, text),
                "need letters and at most one ellipsis");
    }
  }
  return labels;
}

struct Equation {
  std::vector<Labels> operands;
  Labels output;
};

std::vector<Labels> parse_operands(const OpArgs& args, std::string_view text) {
  std::vector<Labels> operands;
  for (size_t start = 0; start <= text.size();) {
    size_t comma = std::min(text.find(',', start), text.size());
    operands.push_back(parse_labels(args, text.substr(start, comma - start)));
    start = comma + 1;
  }
  return operands;
}

int64_t count_of(const Labels& labels, Label label) { return std::count(labels.begin(), labels.end(), label); }

// How many dims the ellipses stand for: the most of all operands.
int64_t ellipsis_rank(const OpArgs& args, const std::vector<Labels>& operands, const std::vector<Tensor>& tensors) {
  int64_t most = 0;
  for (size_t i = 0; i < operands.size(); ++i) {
    int64_t has = count_of(operands[i], ellipsis), named = static_cast<int64_t>(operands[i].size()) - has;
    int64_t rest = tensors[i].dim() - named;
    if (rest < 0 || (rest > 0 && has == 0))
      args.fail(ErrorKind::shape,
                fmt::format("operand {} has {} dims, its subscripts name {}", i, tensors[i].dim(), named));
    most = std::max(most, rest);
  }
  return most;
}

Labels with_ellipsis(const Labels& labels, int64_t stands_for, int64_t most) {
  Labels result;
  for (Label label : labels) {
    if (label != ellipsis) {
      result.push_back(label);
      continue;
    }
    for (int64_t i = most - stands_for; i < most; ++i) result.push_back(first_ellipsis + static_cast<Label>(i));
  }
  return result;
}

// Without an arrow: the ellipsis, then the letters that occur once, in alphabetical order (capitals first).
Labels implicit_output(const std::vector<Labels>& operands, int64_t most) {
  Labels output;
  for (int64_t i = 0; i < most; ++i) output.push_back(first_ellipsis + static_cast<Label>(i));
  for (Label label = 'A'; label <= 'z'; ++label) {
    int64_t times = 0;
    for (const Labels& labels : operands) times += count_of(labels, label);
    if (times == 1) output.push_back(label);
  }
  return output;
}

void check_output(const OpArgs& args, const Equation& equation) {
  for (Label label : equation.output) {
    std::string shown = label < ellipsis ? fmt::format("{}", static_cast<char>(label)) : "...";
    if (count_of(equation.output, label) > 1)
      args.fail(ErrorKind::argument, fmt::format("subscript {} is twice in the output", shown));
    bool is_known = std::any_of(equation.operands.begin(), equation.operands.end(),
                                [&](const Labels& labels) { return count_of(labels, label) > 0; });
    if (!is_known) args.fail(ErrorKind::argument, fmt::format("subscript {} of the output is in no operand", shown));
  }
}

Equation parse_equation(const OpArgs& args, const std::vector<Tensor>& tensors) {
  std::string text = args["equation"].string();
  size_t arrow = text.find("->");
  Equation equation;
  equation.operands = parse_operands(args, std::string_view(text).substr(0, arrow));
  if (equation.operands.size() != tensors.size())
    args.fail(ErrorKind::argument,
              fmt::format("\"{}\" has {} operands, {} are given", text, equation.operands.size(), tensors.size()));
  int64_t most = ellipsis_rank(args, equation.operands, tensors);
  for (size_t i = 0; i < tensors.size(); ++i) {
    Labels& labels = equation.operands[i];
    int64_t named = static_cast<int64_t>(labels.size()) - count_of(labels, ellipsis);
    labels = with_ellipsis(labels, tensors[i].dim() - named, most);
  }
  equation.output = arrow == std::string::npos
                        ? implicit_output(equation.operands, most)
                        : with_ellipsis(parse_labels(args, std::string_view(text).substr(arrow + 2)), most, most);
  check_output(args, equation);
  return equation;
}

// A tensor with one label for each dim.
struct Term {
  Tensor tensor;
  Labels labels;

  bool has(Label label) const { return count_of(labels, label) > 0; }
  int64_t dim_of(Label label) const { return std::find(labels.begin(), labels.end(), label) - labels.begin(); }
  // 1 for a label that it lacks.
  SymInt size_of(Label label) const { return has(label) ? tensor.sizes()[dim_of(label)] : SymInt(1); }
};

// A label that stands twice means the diagonal.
Term with_diagonals(const OpArgs& args, Term term, size_t operand) {
  for (size_t i = 0; i < term.labels.size(); ++i) {
    Label label = term.labels[i];
    for (size_t j = i + 1; j < term.labels.size();) {
      if (term.labels[j] != label) {
        ++j;
        continue;
      }
      SymInt a = term.tensor.sizes()[i], b = term.tensor.sizes()[j];
      if (!(a == b))
        args.fail(ErrorKind::shape, fmt::format("subscript {} is twice in operand {} with sizes {} and {}",
                                                static_cast<char>(label), operand, to_string(a), to_string(b)));
      // The diagonal becomes the last dim.
      term.tensor = apply_one(op_defs::diagonal_default,
                              {term.tensor, 0, static_cast<int64_t>(i), static_cast<int64_t>(j)}, args.here());
      term.labels.erase(term.labels.begin() + static_cast<int64_t>(j));
      term.labels.erase(term.labels.begin() + static_cast<int64_t>(i));
      term.labels.push_back(label);
      i = static_cast<size_t>(-1);  // positions have moved: look again from the start
      break;
    }
  }
  return term;
}

void check_sizes(const OpArgs& args, const std::vector<Term>& terms) {
  for (const Term& term : terms) {
    for (Label label : term.labels) {
      for (const Term& other : terms) {
        SymInt a = term.size_of(label), b = other.size_of(label);
        if (!(a == b) && !(a == 1) && !(b == 1))
          args.fail(ErrorKind::shape,
                    fmt::format("subscript {} has sizes {} and {}",
                                label < ellipsis ? fmt::format("{}", static_cast<char>(label)) : "...", to_string(a),
                                to_string(b)));
      }
    }
  }
}

// The term with the dims of these labels summed.
Term summed(Term term, const Labels& over, Here here) {
  Dims dims;
  Labels rest;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    if (count_of(over, term.labels[i]) > 0)
      dims.push_back(static_cast<int64_t>(i));
    else
      rest.push_back(term.labels[i]);
  }
  if (dims.empty()) return term;
  return {sum(term.tensor, dims, false, {}, here), rest};
}

// The same for labels of dims of size 1, whose sum is a view.
Term dropped(Term term, const Labels& labels, Here here) {
  for (Label label : labels) {
    if (!term.has(label) || !(term.size_of(label) == 1)) continue;
    int64_t dim = term.dim_of(label);
    term.tensor = term.tensor.select(dim, 0, here);
    term.labels.erase(term.labels.begin() + dim);
  }
  return term;
}

// As a view whose dims are `order`, with size 1 for labels that the term lacks.
Tensor arranged(const Term& term, const Labels& order, Here here) {
  Dims permutation;
  for (Label label : order)
    if (term.has(label)) permutation.push_back(term.dim_of(label));
  Tensor x = term.tensor.permute(permutation, here);
  for (size_t i = 0; i < order.size(); ++i)
    if (!term.has(order[i])) x = x.unsqueeze(static_cast<int64_t>(i), here);
  return x;
}

// Of a dim that has size 1, or is missing, in one of them: the other's size, which may be 0.
SymInt common_size(Label label, const Term& a, const Term& b) {
  SymInt size = a.size_of(label);
  return size == 1 ? b.size_of(label) : size;
}

SymInt count_along(const Labels& labels, const Term& a, const Term& b) {
  SymInt count = 1;
  for (Label label : labels) count *= common_size(label, a, b);
  return count;
}

Labels concatenated(Labels a, const Labels& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// The labels of a product of two terms, by what they are in a product of matrices.
struct Roles {
  Labels batch, rows, columns, inner;
};

// In the order of the result's dims, which `kept` begins with; others behind them, as they are.
Labels ordered(const Labels& labels, const Labels& kept) {
  auto place = [&](Label label) { return std::find(kept.begin(), kept.end(), label); };
  auto is_before = [&](Label x, Label y) { return place(x) < place(y); };
  Labels sorted;
  for (Label label : labels) sorted.insert(std::upper_bound(sorted.begin(), sorted.end(), label, is_before), label);
  return sorted;
}

Roles roles_of(const Term& a, const Term& b, const Labels& kept) {
  Roles roles;
  for (Label label : concatenated(a.labels, b.labels)) {
    Labels all = concatenated(concatenated(roles.batch, roles.rows), concatenated(roles.columns, roles.inner));
    if (count_of(all, label) > 0) continue;
    bool in_a = !(a.size_of(label) == 1), in_b = !(b.size_of(label) == 1);
    if (count_of(kept, label) == 0)
      roles.inner.push_back(label);
    else
      (in_a && in_b ? roles.batch : in_b ? roles.columns : roles.rows).push_back(label);
  }
  for (Labels* labels : {&roles.batch, &roles.rows, &roles.columns}) *labels = ordered(*labels, kept);
  return roles;
}

// What is summed and differs from 1 in one of the two only is summed before.
Labels own_sums(const Term& term, const Term& other, const Labels& kept) {
  Labels own;
  for (Label label : term.labels)
    if (count_of(kept, label) == 0 && other.size_of(label) == 1) own.push_back(label);
  return own;
}

SymDims sizes_of(const Labels& labels, const Term& a, const Term& b) {
  SymDims sizes;
  for (Label label : labels) sizes.push_back(common_size(label, a, b));
  return sizes;
}

Term product_of_matrices(Term a, Term b, const Roles& roles, Here here) {
  a = dropped(std::move(a), roles.columns, here);
  b = dropped(std::move(b), roles.rows, here);
  SymInt batch = count_along(roles.batch, a, b), rows = count_along(roles.rows, a, b),
         columns = count_along(roles.columns, a, b), inner = count_along(roles.inner, a, b);
  Tensor left = arranged(a, concatenated(concatenated(roles.batch, roles.rows), roles.inner), here);
  Tensor right = arranged(b, concatenated(concatenated(roles.batch, roles.inner), roles.columns), here);
  left = left.reshape({batch, rows, inner}, here);
  right = right.reshape({batch, inner, columns}, here);
  Labels labels = concatenated(concatenated(roles.batch, roles.rows), roles.columns);
  Tensor product =
      roles.batch.empty() ? mm(left.squeeze(0, here), right.squeeze(0, here), here) : bmm(left, right, here);
  return {product.reshape(sizes_of(labels, a, b), here), labels};
}

// `kept`: the labels that the output or other terms have.
Term product_of_terms(Term a, Term b, const Labels& kept, Here here) {
  Labels own_a = own_sums(a, b, kept), own_b = own_sums(b, a, kept);
  a = summed(dropped(std::move(a), own_a, here), own_a, here);
  b = summed(dropped(std::move(b), own_b, here), own_b, here);
  Roles roles = roles_of(a, b, kept);
  if (roles.inner.empty()) {
    Labels labels = ordered(concatenated(concatenated(roles.batch, roles.rows), roles.columns), kept);
    return {mul(arranged(a, labels, here), arranged(b, labels, here), here), labels};
  }
  DType dtype = promote(a.tensor.dtype(), b.tensor.dtype());
  a.tensor = a.tensor.to(dtype, here);
  b.tensor = b.tensor.to(dtype, here);
  // Where the result has the columns before the rows, so has the product.
  Labels sides = concatenated(roles.columns, roles.rows);
  if (!roles.rows.empty() && !roles.columns.empty() && sides == ordered(sides, kept)) {
    std::swap(a, b);
    std::swap(roles.rows, roles.columns);
  }
  return product_of_matrices(std::move(a), std::move(b), roles, here);
}

std::pair<size_t, size_t> next_pair(const OpArgs& args, const Dims& path, size_t step, size_t terms) {
  if (path.empty()) return {0, 1};
  if (path.size() < 2 * (step + 1))
    args.fail(ErrorKind::argument, fmt::format("a path of {} places", path.size()), "need a pair for each product");
  int64_t i = std::min(path[2 * step], path[2 * step + 1]), j = std::max(path[2 * step], path[2 * step + 1]);
  if (i < 0 || i == j || j >= static_cast<int64_t>(terms))
    args.fail(ErrorKind::argument, fmt::format("the path names operands {} and {} of {}", i, j, terms));
  return {static_cast<size_t>(i), static_cast<size_t>(j)};
}

Values run_einsum(const OpArgs& args) {
  std::vector<Tensor> tensors = args.tensors("tensors");
  Here here = args.here();
  if (tensors.empty()) args.fail(ErrorKind::argument, "no operands", "need at least one");
  Equation equation = parse_equation(args, tensors);
  std::vector<Term> terms;
  for (size_t i = 0; i < tensors.size(); ++i)
    terms.push_back(with_diagonals(args, {tensors[i], equation.operands[i]}, i));
  check_sizes(args, terms);
  Dims path = args["path"].is_none() ? Dims() : args.dims("path");
  for (size_t step = 0; terms.size() > 1; ++step) {
    auto [i, j] = next_pair(args, path, step, terms.size());
    Term a = terms[i], b = terms[j];
    terms.erase(terms.begin() + static_cast<int64_t>(j));
    terms.erase(terms.begin() + static_cast<int64_t>(i));
    Labels kept = equation.output;
    for (const Term& other : terms) kept = concatenated(kept, other.labels);
    Term product = product_of_terms(a, b, kept, here);
    // Products go to the end of a path's list, and to the front where operands come from the left.
    terms.insert(path.empty() ? terms.begin() : terms.end(), product);
  }
  Labels gone;
  for (Label label : terms[0].labels)
    if (count_of(equation.output, label) == 0) gone.push_back(label);
  return {arranged(summed(terms[0], gone, here), equation.output, here)};
}

// --- tensordot --------------------------------------------------------------------------------------------------

Values run_tensordot(const OpArgs& args) {
  Tensor a = args.tensor(0), b = args.tensor(1);
  Here here = args.here();
  Dims dims_a = wrap_dims(args, args.dims("dims_self"), a.dim()),
       dims_b = wrap_dims(args, args.dims("dims_other"), b.dim());
  if (dims_a.size() != dims_b.size())
    args.fail(ErrorKind::argument, fmt::format("{} dims of self, {} of other", dims_a.size(), dims_b.size()));
  check_types(args, a.meta(), b.meta());
  for (size_t i = 0; i < dims_a.size(); ++i) {
    SymInt size_a = a.sizes()[dims_a[i]], size_b = b.sizes()[dims_b[i]];
    if (size_b == 1 && !(size_a == 1))
      a = sum(a, {dims_a[i]}, true, a.dtype(), here);
    else if (size_a == 1 && !(size_b == 1))
      b = sum(b, {dims_b[i]}, true, b.dtype(), here);
    else
      check_inner(args, size_a, size_b);
  }
  Dims rest_a = without(a.dim(), dims_a), rest_b = without(b.dim(), dims_b);
  SymInt inner = product_of_sizes(a, dims_a);
  SymDims sizes;
  for (int64_t dim : rest_a) sizes.push_back(a.sizes()[dim]);
  for (int64_t dim : rest_b) sizes.push_back(b.sizes()[dim]);
  Tensor left = a.permute(concatenated(rest_a, dims_a), here).reshape({product_of_sizes(a, rest_a), inner}, here);
  Tensor right = b.permute(concatenated(dims_b, rest_b), here).reshape({inner, product_of_sizes(b, rest_b)}, here);
  return {mm(left, right, here).reshape(sizes, here)};
}

// --- Bilinear forms ---------------------------------------------------------------------------------------------

void check_bilinear(const OpArgs& args, const Tensor& x1, const Tensor& x2, const Tensor& weight) {
  check_types(args, x1.meta(), x2.meta());
  check_types(args, x1.meta(), weight.meta());
  check_rank(args, "weight", 3);
  bool fits =
      x1.dim() > 0 && x1.dim() == x2.dim() && leading(x1.sizes(), x1.dim() - 1) == leading(x2.sizes(), x2.dim() - 1);
  if (!fits)
    args.fail(ErrorKind::shape, fmt::format("inputs of sizes {} and {}", to_string(x1.sizes()), to_string(x2.sizes())),
              "need equal sizes but for the last dims");
  check_inner(args, x1.size(-1), weight.size(1));
  check_inner(args, x2.size(-1), weight.size(2));
}

// x1 @ weight for all outputs at once, then a reduction over x2's features that fuses with what follows.
Values run_bilinear(const OpArgs& args) {
  Tensor x1 = args.tensor(0), x2 = args.tensor(1), weight = args.tensor(2);
  Here here = args.here();
  check_bilinear(args, x1, x2, weight);
  SymInt outputs = weight.size(0), features1 = weight.size(1), features2 = weight.size(2);
  SymDims lead = leading(x1.sizes(), x1.dim() - 1);
  SymInt rows = numel(lead);
  Tensor matrix = weight.permute({1, 0, 2}, here).reshape({features1, outputs * features2}, here);
  Tensor half = wide_mm(x1.reshape({rows, features1}, here), matrix, here).view({rows, outputs, features2}, here);
  DType dtype = x1.dtype(), wide = half.dtype();
  Tensor other = x2.reshape({rows, features2}, here).to(wide, here).unsqueeze(1, here);
  Tensor result = sum(half * other, {2}, false, wide, here);
  if (!args["bias"].is_none()) {
    Tensor bias = args["bias"].tensor();
    check_types(args, x1.meta(), bias.meta());
    result = result + bias.to(wide, here);
  }
  return {result.to(dtype, here).view(joined(lead, {outputs}), here)};
}

Tensor with_dims_of_one(Tensor x, Dims dims, Here here) {
  std::sort(dims.begin(), dims.end());
  for (int64_t dim : dims) x = x.unsqueeze(dim, here);
  return x;
}

// The three factors, each with dims of size 1 put in, multiplied and summed.
Values run_trilinear(const OpArgs& args) {
  Here here = args.here();
  DType dtype = args.meta(0).dtype, wide = compute_type(dtype);
  Tensor product;
  for (int i = 0; i < 3; ++i) {
    check_types(args, args.meta(0), args.meta(i));
    Tensor x = with_dims_of_one(args.tensor(i), args.dims(fmt::format("expand{}", i + 1)), here).to(wide, here);
    product = product.defined() ? mul(product, x, here) : x;
  }
  Dims dims = wrap_dims(args, args.dims("sumdim"), product.dim());
  Tensor result = dims.empty() ? product : sum(product, dims, false, wide, here);
  return {contiguous(result.to(dtype, here), here)};
}

}  // namespace

namespace op_defs {

// Of one operand, the result may be a view of it.
constinit const OpDef einsum_default =
    composite("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", run_einsum);
constinit const OpDef tensordot_default = decomposed(
    "aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor", run_tensordot);
constinit const OpDef bilinear_default = decomposed(
    "aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", run_bilinear);
constinit const OpDef trilinear_default = decomposed(
    "aten::_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, int[] sumdim, int "
    "unroll_dim=1) -> Tensor",
    run_trilinear);

}  // namespace op_defs

Tensor einsum(std::string equation, const std::vector<Tensor>& tensors, std::optional<Dims> path, Here here) {
  return apply_one(op_defs::einsum_default, {std::move(equation), tensors, path ? Value(*path) : Value()}, here);
}
Tensor tensordot(const Tensor& a, const Tensor& b, Dims dims_a, Dims dims_b, Here here) {
  return apply_one(op_defs::tensordot_default, {a, b, dims_a, dims_b}, here);
}
Tensor bilinear(const Tensor& x1, const Tensor& x2, const Tensor& weight, const Tensor& bias, Here here) {
  return apply_one(op_defs::bilinear_default, {x1, x2, weight, bias}, here);
}

}  // namespace sinter
