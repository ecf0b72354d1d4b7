# Stones that a ladder catches, or that run out of it in time. GNU Go read every ladder to its end,
# found that the other atari fails, and chose the same move.

# E5 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-01-black.sgf
10 reg_genmove black
#? [D5]

# E5 in a ladder of 12 moves; Black catches it
loadsgf sgf/ladder-02-black.sgf
20 reg_genmove black
#? [D5]

# E5 in a ladder of 12 moves; White saves it
loadsgf sgf/ladder-03-white.sgf
30 reg_genmove white
#? [D5]

# E5 in a ladder of 12 moves; Black catches it
loadsgf sgf/ladder-04-black.sgf
40 reg_genmove black
#? [D5]

# E5 in a ladder of 10 moves; Black catches it
loadsgf sgf/ladder-05-black.sgf
50 reg_genmove black
#? [F5]

# E5 in a ladder of 11 moves; Black catches it
loadsgf sgf/ladder-06-black.sgf
60 reg_genmove black
#? [F5]

# E5 in a ladder of 8 moves; Black catches it
loadsgf sgf/ladder-07-black.sgf
70 reg_genmove black
#? [D5]

# E5 in a ladder of 8 moves; Black catches it
loadsgf sgf/ladder-08-black.sgf
80 reg_genmove black
#? [D5]

# E5 in a ladder of 8 moves; White saves it
loadsgf sgf/ladder-09-white.sgf
90 reg_genmove white
#? [D5]

# E5 in a ladder of 8 moves; White saves it
loadsgf sgf/ladder-10-white.sgf
100 reg_genmove white
#? [F5]

# E5 in a ladder of 8 moves; White saves it
loadsgf sgf/ladder-11-white.sgf
110 reg_genmove white
#? [D5]

# E5 in a ladder of 10 moves; White saves it
loadsgf sgf/ladder-12-white.sgf
120 reg_genmove white
#? [D5]
