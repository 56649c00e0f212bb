// stream funnel, SystemVerilog style; no `include is needed, and no latch is made
`default_nettype none
module funnel_pick #(parameter int N = 2) (input wire logic [N-1:0] v, input wire logic [N-1:0] u, input wire logic first, output logic pick, output logic any);
  logic [N-1:0] s;
  always_comb begin
    s = |(v & u) ? (v & u) : v;
    any = |v;
    if (s[first]) pick = first; else pick = !first;
  end
endmodule
module funnel #(parameter DEPTH = 3, parameter LIM = 7) (
  output logic [4:0] packets, output logic [1:0] starved, output logic almost_full, output logic [$clog2(DEPTH+1)-1:0] level,
  output logic out_par, output logic [2:0] out_tag, output logic out_last, output logic [0:0] out_src, output logic [7:0] out_data, output logic out_valid,
  output logic [1:0] req_ready,
  input wire logic clr, flush, out_ready, input wire logic [15:0] req_data, input wire logic [1:0] req_urgent, req_last, req_valid, input wire logic rst_n, clk);
  typedef struct packed { logic [7:0] data; logic src; logic last; logic [2:0] tag; } word_t;
  logic [12:0] mem [0:3];           // ring of four places, three are used
  logic [12:0] head; word_t neu;
  logic [1:0] rp, wp, n;
  logic [1:0] g;              // one-hot open grant, 0: none
  logic [2:0] left;           // words left in the grant
  logic [3:0] dry;            // shift register of idle cycles
  logic order;
  logic [2:0] tag [0:1];
  logic [LIM-1:0] w [0:1];    // thermometer of waiting
  logic [1:0] hit;
  logic pick, any, acc, lst, room, pop, fin, fini;
  funnel_pick #(.N(2)) p (.v(req_valid), .u(req_urgent), .first(order), .pick(pick), .any(any));
  initial begin packets = 17; order = 0; n = 3; end  // dropped
  always_comb begin
    out_valid = n != 0;
    head = mem[rp];
    {out_data, out_src, out_last, out_tag} = {13{out_valid}} & head;
    out_par = (^out_data) ^ out_src ^ out_last ^ (^out_tag);
    level = n; almost_full = n[1];
    pop = out_valid && out_ready;
    room = n < DEPTH || pop;
    req_ready = '0;
    if (room) begin
      if (g != 0) req_ready = g & req_valid;
      else if (any) req_ready[pick] = 1'b1;
    end
    acc = |req_ready;
    lst = |(req_ready & req_last);
    neu.data = ~(req_ready[1] ? req_data[8 +: 8] : req_data[0 +: 8]);
    neu.src = req_ready[1]; neu.last = lst; neu.tag = tag[req_ready[1]];
    fin = acc && (lst || (g != 0 && left == 1));
    fini = g != 0 && !(g & req_valid) && dry[2];
    for (int i = 0; i < 2; i++) hit[i] = req_valid[i] && !req_ready[i] && w[i][LIM-2];
  end
  always_ff @(posedge clk) begin
    if (acc) begin mem[wp] <= neu; wp <= wp + 1; end
    if (pop) rp <= rp + 1;
    n <= n + acc - pop;
    if (flush) begin n <= 0; rp <= wp + acc; end
    if (fin) begin g <= 0; order <= !req_ready[1]; dry <= 0; end
    else if (acc) begin g <= req_ready; left <= 1; dry <= 0; end
    else if (fini) begin g <= 0; order <= !g[1]; dry <= 0; end
    else dry <= (g != 0 && !(g & req_valid)) ? {dry[2:0], 1'b1} : 4'd0;
    for (int i = 0; i < 2; i++) begin
      if (req_ready[i]) tag[i] <= req_last[i] ? 1 : tag[i] == 4 ? 0 : tag[i] + 1;
      w[i] <= (req_valid[i] && !req_ready[i]) ? {w[i][LIM-2:0], 1'b1} : '0;
    end
    starved <= (starved & {2{~clr}}) | hit;
    if (clr) packets <= {4'd0, lst};
    else if (lst && packets < 21) packets <= packets + 1;
    if (~rst_n) begin
      n <= 0; rp <= 2; wp <= 2; g <= 0; left <= 0; dry <= 0; order <= 1; tag[0] <= 1; tag[1] <= 1; w[0] <= 0; w[1] <= 0; starved <= 0; packets <= 0;
    end
  end
endmodule
