# Two groups without eyes: who captures the other? Every answer was proved by
# exhaustive search.

# two liberties each, Black is first
loadsgf sgf/semeai-race-2-2-black.sgf
10 reg_genmove black
#? [C8|C5]

# three liberties each, Black is first
loadsgf sgf/semeai-race-3-3-black.sgf
20 reg_genmove black
#? [C8|C6|C4]

# four liberties each, White is first
loadsgf sgf/semeai-race-4-4-white.sgf
30 reg_genmove white
#? [F7|F5|F3|F1]

# three liberties side by side, White is first
loadsgf sgf/semeai-adjacent-3-3-white.sgf
40 reg_genmove white
#? [F5|F4|F3]

# three liberties each at the edges, Black is first
loadsgf sgf/semeai-corner-3-3-black.sgf
50 reg_genmove black
#? [C8|C7|C1]

# one outside and two common liberties: fill from outside
loadsgf sgf/semeai-pair-1-1-black.sgf
60 reg_genmove black
#? [B5]

# one outside and two common liberties at the edge
loadsgf sgf/semeai-edge-1-1-white.sgf
70 reg_genmove white
#? [G5]

# two outside liberties and a common one
loadsgf sgf/semeai-one-2-2-white.sgf
80 reg_genmove white
#? [G5|G1]

# one outside liberty and a common one
loadsgf sgf/semeai-one-1-1-black.sgf
90 reg_genmove black
#? [B5]

# two common liberties, one of which captures
loadsgf sgf/semeai-pair-0-0-white.sgf
100 reg_genmove white
#? [E5]

# three common liberties, one and two outside: Black captures
loadsgf sgf/semeai-three-1-2-black.sgf
110 reg_genmove black
#? [B5|D1]

# three common liberties, two and one outside: White captures
loadsgf sgf/semeai-three-2-1-white.sgf
120 reg_genmove white
#? [G5|D1]
