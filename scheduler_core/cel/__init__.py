"""The Common Expression Language, as far as kube-scheduler evaluates it: selectors of devices.

`program.py` compiles a text once; `evaluator.py` walks the tree that `parser.py` made; what the operators and
functions mean is in the other modules, one library of functions in each.

Source: cel-spec; cel-go interpreter and ext; kubernetes v1.36 apiserver/pkg/cel/library.
"""
