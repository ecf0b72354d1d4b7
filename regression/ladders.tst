# Stones that a ladder catches, or that run out of it in time. GNU Go read every ladder to its end,
# found that the other atari fails, and chose the same move.

# D6 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-01-black.sgf
10 reg_genmove black
#? [C6]

# E4 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-02-black.sgf
20 reg_genmove black
#? [F4]

# F4 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-03-black.sgf
30 reg_genmove black
#? [E4]

# E4 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-04-black.sgf
40 reg_genmove black
#? [D4]

# E5 in a ladder of 14 moves; Black catches it
loadsgf sgf/ladder-05-black.sgf
50 reg_genmove black
#? [F5]

# F6 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-06-black.sgf
60 reg_genmove black
#? [G6]

# D6 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-07-black.sgf
70 reg_genmove black
#? [C6]

# F6 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-08-black.sgf
80 reg_genmove black
#? [G6]

# D6 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-09-black.sgf
90 reg_genmove black
#? [C6]

# D6 in a ladder of 10 moves; White saves it
loadsgf sgf/ladder-10-white.sgf
100 reg_genmove white
#? [C6]

# D5 in a ladder of 14 moves; Black catches it
loadsgf sgf/ladder-11-black.sgf
110 reg_genmove black
#? [E5]

# D5 in a ladder of 14 moves; Black catches it
loadsgf sgf/ladder-12-black.sgf
120 reg_genmove black
#? [E5]

# D5 in a ladder of 14 moves; White saves it
loadsgf sgf/ladder-13-white.sgf
130 reg_genmove white
#? [E5]

# E5 in a ladder of 14 moves; Black catches it
loadsgf sgf/ladder-14-black.sgf
140 reg_genmove black
#? [D5]
