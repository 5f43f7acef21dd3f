"""Writes a network of kit/network.py as a model: one func.func in linalg, for one cell."""

MAPS = """
#none = affine_map<(d0) -> ()>
#scalar = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#cell = affine_map<(d0, d1) -> (d0, d1)>
#in = affine_map<(d0, d1) -> (d1)>
#weight = affine_map<(d0, d1) -> (d1, d0)>
#in2 = affine_map<(d0, d1, d2) -> (d1, d2)>
#weight2 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#out2 = affine_map<(d0, d1, d2) -> (d0)>
"""

LAST = """
  // Of what is there, the last {count}: `%{name}_end` counts it, for nothing is missing in between.
  %{name}_none = arith.constant 0 : i32
  %{name}_no = tensor.empty() : tensor<i32>
  %{name}_start = linalg.fill ins(%{name}_none : i32) outs(%{name}_no : tensor<i32>) -> tensor<i32>
  %{name}_end = linalg.generic {{indexing_maps = [#scalar, #none],
                                iterator_types = ["reduction"]}}
      ins(%{name}_present : tensor<{shown}xi1>) outs(%{name}_start : tensor<i32>) {{
  ^bb0(%there: i1, %sum: i32):
    %one = arith.extui %there : i1 to i32
    %next = arith.addi %sum, %one : i32
    linalg.yield %next : i32
  }} -> tensor<i32>
  %{name}_last_empty = tensor.empty() : tensor<{count}xi32>
  %{name}_last = linalg.generic {{indexing_maps = [#scalar], iterator_types = ["parallel"]}}
      outs(%{name}_last_empty : tensor<{count}xi32>) {{
  ^bb0(%unused: i32):
    %end = tensor.extract %{name}_end[] : tensor<i32>
    %count = arith.constant {count} : i32
    %absent = arith.constant {vocabulary} : i32
    %zero_i = arith.constant 0 : i32
    %j = linalg.index 0 : index
    %place = arith.index_cast %j : index to i32
    %first = arith.subi %end, %count : i32
    %at = arith.addi %first, %place : i32
    %inside = arith.cmpi sge, %at, %zero_i : i32
    %safe = arith.maxsi %at, %zero_i : i32
    %k = arith.index_cast %safe : i32 to index
    %id = tensor.extract %{name}[%k] : tensor<{shown}xi32>
    %token = arith.select %inside, %id, %absent : i32
    linalg.yield %token : i32
  }} -> tensor<{count}xi32>
"""

LOOK_UP = """
  %{name}_empty = tensor.empty() : tensor<{count}x{embedding}xf32>
  %{name}_vectors = linalg.generic {{indexing_maps = [#row, #cell],
                                    iterator_types = ["parallel", "parallel"]}}
      ins(%{ids} : tensor<{count}xi32>) outs(%{name}_empty : tensor<{count}x{embedding}xf32>) {{
  ^bb0(%id: i32, %unused: f32):
    %token = arith.index_cast %id : i32 to index
    %feature = linalg.index 1 : index
    %value = tensor.extract %emb_{name}[%token, %feature] : tensor<{rows}x{embedding}xf32>
    linalg.yield %value : f32
  }} -> tensor<{count}x{embedding}xf32>
  %from_{name} = linalg.generic {{indexing_maps = [#in2, #weight2, #out2],
                                 iterator_types = ["parallel", "reduction", "reduction"]}}
      ins(%{name}_vectors, %w_{name} : tensor<{count}x{embedding}xf32>,
                                     tensor<{count}x{embedding}x{hidden}xf32>)
      outs(%{before} : tensor<{hidden}xf32>) {{
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  }} -> tensor<{hidden}xf32>
"""

OUTPUT = """
  %zero = arith.constant 0.0 : f32
  %hidden_empty = tensor.empty() : tensor<{hidden}xf32>
  %hidden = linalg.generic {{indexing_maps = [#scalar, #scalar], iterator_types = ["parallel"]}}
      ins(%{before} : tensor<{hidden}xf32>) outs(%hidden_empty : tensor<{hidden}xf32>) {{
  ^bb0(%x: f32, %unused: f32):
    %positive = arith.maximumf %x, %zero : f32
    linalg.yield %positive : f32
  }} -> tensor<{hidden}xf32>

  %logits = linalg.generic {{indexing_maps = [#in, #weight, #row],
                            iterator_types = ["parallel", "reduction"]}}
      ins(%hidden, %w_out : tensor<{hidden}xf32>, tensor<{hidden}x{vocabulary}xf32>)
      outs(%b_out : tensor<{vocabulary}xf32>) {{
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %next = math.fma %x, %w, %sum : f32
    linalg.yield %next : f32
  }} -> tensor<{vocabulary}xf32>
"""

LOG = """
  // The logarithms of probabilities, which say how sure a token is: x - max - log(sum(exp(x - max))).
  %least = arith.constant 0xFF800000 : f32
  %one_empty = tensor.empty() : tensor<f32>
  %max_start = linalg.fill ins(%least : f32) outs(%one_empty : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {{indexing_maps = [#scalar, #none], iterator_types = ["reduction"]}}
      ins(%logits : tensor<{vocabulary}xf32>) outs(%max_start : tensor<f32>) {{
  ^bb0(%x: f32, %best: f32):
    %next = arith.maximumf %best, %x : f32
    linalg.yield %next : f32
  }} -> tensor<f32>
  %sum_start = linalg.fill ins(%zero : f32) outs(%one_empty : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {{indexing_maps = [#scalar, #none, #none], iterator_types = ["reduction"]}}
      ins(%logits, %max : tensor<{vocabulary}xf32>, tensor<f32>) outs(%sum_start : tensor<f32>) {{
  ^bb0(%x: f32, %m: f32, %sum: f32):
    %below = arith.subf %x, %m : f32
    %weight = math.exp %below : f32
    %next = arith.addf %sum, %weight : f32
    linalg.yield %next : f32
  }} -> tensor<f32>
  %out_empty = tensor.empty() : tensor<{vocabulary}xf32>
  %sure = linalg.generic {{indexing_maps = [#scalar, #none, #none, #scalar],
                          iterator_types = ["parallel"]}}
      ins(%logits, %max, %sum : tensor<{vocabulary}xf32>, tensor<f32>, tensor<f32>)
      outs(%out_empty : tensor<{vocabulary}xf32>) {{
  ^bb0(%x: f32, %m: f32, %s: f32, %unused: f32):
    %below = arith.subf %x, %m : f32
    %log = math.log %s : f32
    %share = arith.subf %below, %log : f32
    linalg.yield %share : f32
  }} -> tensor<{vocabulary}xf32>
"""

END = """  return %{result} : tensor<{vocabulary}xf32>
}}
"""


def shapes(network):
    """The shape of each weight, by name, in the order of the arguments."""
    for read in network.reads:
        yield f"emb_{read.name}", (read.vocabulary + 1, network.embedding)
        yield f"w_{read.name}", (read.count, network.embedding, network.hidden)
    yield "b_hidden", (network.hidden,)
    yield "w_out", (network.hidden, network.vocabulary)
    yield "b_out", (network.vocabulary,)


def signature(network, function):
    arguments = []
    for read in network.reads:
        size = read.shown or read.count
        arguments.append(f"%{read.name}: tensor<{size}xi32>, "
                         f"%{read.name}_present: tensor<{size}xi1>")
    for name, shape in shapes(network):
        size = "x".join(map(str, shape))
        arguments.append(f'%{name}: tensor<{size}xf32> {{lci.weight = "{name}"}}')
    joined = ",\n    ".join(arguments)
    return f"func.func @{function}(\n    {joined}) -> tensor<{network.vocabulary}xf32> {{"


def read_text(network, read, before):
    """The look-up of one read, and what it adds to the hidden layer."""
    fields = {**vars(read), "embedding": network.embedding, "hidden": network.hidden,
              "rows": read.vocabulary + 1, "before": before,
              "ids": f"{read.name}_last" if read.shown else read.name}
    return (LAST.format(**fields) if read.shown else "") + LOOK_UP.format(**fields)


def model_text(network, function, comment):
    """The model as text; `comment` says what it is for."""
    header = "\n".join(f"// {line}".rstrip() for line in comment.strip().splitlines())
    before, body = "b_hidden", ""
    for read in network.reads:
        body += read_text(network, read, before)
        before = f"from_{read.name}"
    fields = {"hidden": network.hidden, "vocabulary": network.vocabulary, "before": before}
    body += OUTPUT.format(**fields)
    body += LOG.format(**fields) if network.log else ""
    body += END.format(**fields, result="sure" if network.log else "logits")
    return f"{header}\n{MAPS}\n{signature(network, function)}{body}"
