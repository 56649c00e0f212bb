"""Writes the ordered funnel as Verilog. The first argument says how; everything but `right` is wrong."""

import sys

how = sys.argv[1]
order = {}
for line in open("input/order.cfg"):
    if "=" in line and not line.startswith("#"):
        name, value = line.split("=")
        order[name.strip()] = value.strip()

number = {name: int(value) for name, value in order.items() if value.isdigit()}
n, w, depth = number["ports"], number["data_width"], number["depth"]


def bits(value):
    return max(1, value.bit_length())


if how == "power-of-two":
    depth = 1 << bits(depth - 1)
if how == "other-full":
    order["full"] = "wait" if order["full"] == "pass" else "pass"
burst_limit = 10**6 if how == "no-burst-limit" else number["burst_limit"]
wait_limit = number["wait_limit"] + (how == "late-wait")

sw, tw, lw, cw = bits(n - 1), bits(number["tag_last"]), bits(number["depth"]), bits(number["count_last"])
reset = "rst_n" if order["reset"] == "low" else "rst"
coded = {
    "plain": "picked",
    "inverted": "~picked",
    "gray": "picked ^ (picked >> 1)",
    "reversed": "{" + ", ".join(f"picked[{k}]" for k in range(w)) + "}",
}[order["coding"]]
tag_after_last = "0" if order["tag_end"] == "wrap" else "TAG_LAST"
count_after_last = "0" if order["count_end"] == "wrap" else "COUNT_LAST"
down = order["order"] == "round-robin-down"
start = [(number["first_port"] + (-k if down else k)) % n for k in range(n)]

# The order of ports is kept as a list of port numbers: turn[0] is looked at first.
if how == "rotating-pointer":
    rotate = "for (k = 0; k < PORTS; k = k + 1) turn[k] <= turn[(k + 1) % PORTS];"
elif order["order"] == "least-recent":
    rotate = """found = 0;
            for (k = 0; k < PORTS - 1; k = k + 1) begin
                if (turn[k] == ending) found = 1;
                if (found) turn[k] <= turn[k + 1];
            end
            turn[PORTS - 1] <= ending;"""
elif down:
    rotate = "for (k = 0; k < PORTS; k = k + 1) turn[k] <= (ending + 2 * PORTS - 1 - k) % PORTS;"
else:
    rotate = "for (k = 0; k < PORTS; k = k + 1) turn[k] <= (ending + 1 + k) % PORTS;"

room = "level < DEPTH"
if order["full"] == "pass":
    room = f"({room} || pop)"
if order["flush"] == "block":
    room += " && !flush"
store_new = {"block": "accept", "drop": "accept && !flush", "keep": "accept"}[order["flush"]]
flushed_level = "accept" if order["flush"] == "keep" else "0"
event = "" if order["clear"] == "event-wins" else " && !clr"

print(f"""module funnel (
    input clk,
    input {reset},
    input [{n - 1}:0] req_valid,
    input [{n - 1}:0] req_last,
    input [{n - 1}:0] req_urgent,
    input [{n * w - 1}:0] req_data,
    output reg [{n - 1}:0] req_ready,
    output out_valid,
    input out_ready,
    output [{w - 1}:0] out_data,
    output [{sw - 1}:0] out_src,
    output out_last,
    output [{tw - 1}:0] out_tag,
    output out_par,
    input flush,
    input clr,
    output reg [{lw - 1}:0] level,
    output almost_full,
    output reg [{n - 1}:0] starved,
    output reg [{cw - 1}:0] packets
);
    localparam PORTS = {n};
    localparam DEPTH = {depth};
    localparam ALMOST_FULL = {number["almost_full"]};
    localparam BURST_LIMIT = {burst_limit};
    localparam IDLE_LIMIT = {number["idle_limit"]};
    localparam WAIT_LIMIT = {wait_limit};
    localparam TAG_FIRST = {number["tag_first"]};
    localparam TAG_LAST = {number["tag_last"]};
    localparam COUNT_LAST = {number["count_last"]};

    wire in_reset = {"!rst_n" if reset == "rst_n" else "rst"};

    // The store: data, source, last mark, tag.
    reg [{w + sw + tw}:0] store [0:DEPTH - 1];
    reg [{bits(depth - 1) - 1}:0] head, tail;
    wire [{w + sw + tw}:0] oldest = out_valid ? store[head] : 0;
    assign out_valid = level != 0;
    assign {{out_data, out_src, out_last, out_tag}} = oldest;
    assign out_par = out_valid & (^oldest{" ^ 1'b1" if order["parity"] == "odd" else ""});
    assign almost_full = level >= ALMOST_FULL;
    wire pop = out_valid && out_ready;
    wire room = {room};

    // The choice.
    reg granted;
    reg [{sw - 1}:0] owner;
    reg [{bits(min(burst_limit, 64)) - 1}:0] n_words;
    reg [{bits(number["idle_limit"]) - 1}:0] n_idle;
    reg [{sw - 1}:0] turn [0:PORTS - 1];
    reg [{sw - 1}:0] chosen;
    reg any;
    integer i;
    wire [{n - 1}:0] pressing = req_valid & req_urgent;
    wire [{n - 1}:0] asking = |pressing ? pressing : req_valid;
    always @* begin
        chosen = owner;
        any = granted && req_valid[owner];
        if (!granted)
            for (i = PORTS - 1; i >= 0; i = i - 1)
                if (asking[turn[i]]) begin
                    chosen = turn[i];
                    any = 1;
                end
        req_ready = 0;
        if (any && room) req_ready[chosen] = 1;
    end
    wire accept = any && room;
    wire last = req_last[chosen];
    wire [{w - 1}:0] picked = req_data[chosen * {w} +: {w}];
    wire [{w - 1}:0] data = {coded};
    wire cut = (granted ? n_words : 0) + 1 >= BURST_LIMIT;
    wire silent = granted && !req_valid[owner] && n_idle + 1 >= IDLE_LIMIT;
    wire grant_ends = accept ? last || cut : silent;
    wire [{sw - 1}:0] ending = accept ? chosen : owner;

    reg [{tw - 1}:0] tag [0:PORTS - 1];
    reg [{bits(wait_limit) - 1}:0] waited [0:PORTS - 1];
    reg found;
    integer k;
    always @(posedge clk) begin
        // Store.
        if ({store_new}) begin
            store[tail] <= {{data, chosen, last, tag[chosen]}};
            tail <= tail == DEPTH - 1 ? 0 : tail + 1;
        end
        if (pop) head <= head == DEPTH - 1 ? 0 : head + 1;
        level <= level + ({store_new}) - pop;
        if (flush) begin
            level <= {flushed_level};
            head <= tail;
        end
        // Grants.
        if (accept) begin
            granted <= 1;
            owner <= chosen;
            n_words <= (granted ? n_words : 0) + 1;
            n_idle <= 0;
            tag[chosen] <= last ? TAG_FIRST : tag[chosen] == TAG_LAST ? {tag_after_last} : tag[chosen] + 1;
        end else if (granted)
            n_idle <= req_valid[owner] ? 0 : n_idle + 1;
        if (grant_ends) begin
            granted <= 0;
            {rotate}
        end
        // Counts.
        if (clr) packets <= 0;
        if (accept && last{event}) packets <= clr ? 1 : packets == COUNT_LAST ? {count_after_last} : packets + 1;
        for (k = 0; k < PORTS; k = k + 1) begin
            if (clr) starved[k] <= 0;
            if (req_valid[k] && !req_ready[k]) begin
                if (waited[k] + 1 >= WAIT_LIMIT{event}) starved[k] <= 1;
                if (waited[k] < WAIT_LIMIT) waited[k] <= waited[k] + 1;
            end else
                waited[k] <= 0;
        end
        if (in_reset) begin
            level <= 0;
            head <= 0;
            tail <= 0;
            granted <= 0;
            n_idle <= 0;
            starved <= 0;
            packets <= 0; // reset
            for (k = 0; k < PORTS; k = k + 1) begin
                tag[k] <= TAG_FIRST;
                waited[k] <= 0;
            end
            {" ".join(f"turn[{at}] <= {port};" for at, port in enumerate(start))}
        end
    end
endmodule""")
