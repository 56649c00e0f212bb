/* Trichter für Wörter — «funnel»
   latch, initial, posedge: words only */
module \funnel (packets, starved, almost_full, level, clr, flush, out_par, out_tag, out_last, out_src, out_data, out_ready, out_valid, req_ready, req_data, req_urgent, req_last, req_valid, rst_n, clk);
input  clk;
input  rst_n;
input [1:0] req_valid;
input [1:0] req_last;
input [1:0] req_urgent;
input [15:0] req_data;
output [1:0] req_ready;
output  out_valid;
input  out_ready;
output [7:0] out_data;
output  out_src;
output  out_last;
output [2:0] out_tag;
output  out_par;
input  flush;
input  clr;
output [1:0] level;
output  almost_full;
output [1:0] starved;
output [4:0] packets;

  reg [1:0]  cnt;
  reg [12:0] m0, m1, m2;      // oldest first: data, src, last, tag
  reg        gopen, gport, gwords, first;
  reg [1:0]  idle;
  reg [2:0]  tag0, tag1, wait0, wait1;
  reg [1:0]  st;
  reg [4:0]  pk;

  assign out_valid = cnt != 0;
  assign {out_data, out_src, out_last, out_tag} = out_valid ? m0 : 13'd0;
  assign out_par = ^{out_data, out_src, out_last, out_tag};
  assign level = cnt;
  assign almost_full = cnt >= 2;
  assign starved = st;
  assign packets = pk;

  wire leave = out_valid & out_ready;
  wire room  = (cnt != 3) | leave;
  wire [1:0] u = req_valid & req_urgent;
  wire [1:0] s = (u != 0) ? u : req_valid;
  wire chosen = gopen ? gport : (s[first] ? first : ~first);
  wire acc  = room & (gopen ? req_valid[gport] : (req_valid != 0));
  assign req_ready = acc ? (chosen ? 2'b10 : 2'b01) : 2'b00;

  wire       lst = chosen ? req_last[1] : req_last[0];
  wire [7:0] d   = chosen ? req_data[15:8] : req_data[7:0];
  wire [2:0] tg  = chosen ? tag1 : tag0;
  wire [2:0] tn  = lst ? 3'd1 : (tg == 4 ? 3'd0 : tg + 3'd1);
  wire [12:0] word = {~d, chosen, lst, tg};
  wire [1:0] c1 = cnt - leave;
  wire [1:0] waits = req_valid & ~req_ready;
  wire [1:0] hit = {waits[1] & (wait1 >= 6), waits[0] & (wait0 >= 6)};
  wire gend_acc  = acc & (lst | (gopen & gwords == 1));
  wire gend_idle = gopen & ~req_valid[gport] & (idle == 3);

  always @(posedge clk) begin
    // store
    if (flush) cnt <= 0;
    else cnt <= c1 + acc;
    if (leave) begin m0 <= m1; m1 <= m2; end
    if (acc) case (c1)
      0: m0 <= word;
      1: m1 <= word;
      default: m2 <= word;
    endcase
    // grants
    if (gend_acc) begin gopen <= 0; first <= ~chosen; idle <= 0; gwords <= 0; end
    else if (acc) begin gopen <= 1; gport <= chosen; gwords <= 1; idle <= 0; end
    else if (gend_idle) begin gopen <= 0; first <= ~gport; idle <= 0; gwords <= 0; end
    else if (gopen) idle <= req_valid[gport] ? 2'd0 : idle + 2'd1;
    if (acc & ~chosen) tag0 <= tn;
    if (acc &  chosen) tag1 <= tn;
    // waiting and counting
    wait0 <= waits[0] ? (wait0 == 7 ? 3'd7 : wait0 + 3'd1) : 3'd0;
    wait1 <= waits[1] ? (wait1 == 7 ? 3'd7 : wait1 + 3'd1) : 3'd0;
    st <= (clr ? 2'b00 : st) | hit;
    if (clr) pk <= acc & lst;
    else if (acc & lst & pk != 21) pk <= pk + 5'd1;
    if (!rst_n) begin
      cnt <= 0; gopen <= 0; gport <= 0; gwords <= 0; idle <= 0; first <= 1;
      tag0 <= 1; tag1 <= 1; wait0 <= 0; wait1 <= 0; st <= 0; pk <= 0;
    end
  end
endmodule
