//! The pure model of the Circuit Designer's document: nets, logic, netlist, measured waves, and how it is judged.
