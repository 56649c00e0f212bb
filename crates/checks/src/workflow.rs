//! The pure model of the Workflow Builder's document: graph, settings, expressions, and how two of them compare.
