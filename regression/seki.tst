# Common liberties that neither may fill, and how such a position comes about. Every answer
# was proved by exhaustive search; komi lets the player to move win by seki, or, where
# more is possible, only by more.

# a finished seki: nothing to play
loadsgf sgf/seki-split-0-0-black.sgf
10 reg_genmove black
#? [PASS|pass]

# a finished seki: nothing to play
loadsgf sgf/seki-split-0-0-white.sgf
20 reg_genmove white
#? [PASS|pass]

# a finished seki with liberties side by side
loadsgf sgf/seki-vertical-0-0-black.sgf
30 reg_genmove black
#? [PASS|pass]

# a finished seki with liberties side by side
loadsgf sgf/seki-vertical-0-0-white.sgf
40 reg_genmove white
#? [PASS|pass]

# White has a liberty more: Black takes it for seki
loadsgf sgf/seki-split-1-0-black.sgf
50 reg_genmove black
#? [B5]

# Black has a liberty more: White takes it for seki
loadsgf sgf/seki-split-0-1-white.sgf
60 reg_genmove white
#? [G5]

# Black is short of liberties: White captures
loadsgf sgf/seki-split-1-0-white.sgf
70 reg_genmove white
#? [D6|E2]

# White is short of liberties: Black captures
loadsgf sgf/seki-split-0-1-black.sgf
80 reg_genmove black
#? [D6|E2]

# one outside liberty each: seki, the common ones are not to be filled
loadsgf sgf/seki-split-1-1-black.sgf
90 reg_genmove black
#? [B5|PASS|pass]

# one outside liberty each: seki, the common ones are not to be filled
loadsgf sgf/seki-split-1-1-white.sgf
100 reg_genmove white
#? [G1|PASS|pass]

# three common liberties: White takes an outside one for seki
loadsgf sgf/seki-three-1-2-white.sgf
110 reg_genmove white
#? [G5|G1]

# three common liberties: White captures
loadsgf sgf/seki-three-1-0-white.sgf
120 reg_genmove white
#? [D1]
