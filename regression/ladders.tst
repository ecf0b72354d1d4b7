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

# Ladders across larger boards, of more stones than that: worked out by our reader and by GNU Go, which plays
# one of the right moves.

# 19x19, nothing near it: Black catches O8, in 42 moves
loadsgf sgf/ladder-13-black.sgf
130 reg_genmove black
#? [N8]*

# 19x19, nothing near it: Black cannot run out with M6, in 41 moves
loadsgf sgf/ladder-14-black.sgf
140 reg_genmove black
#? [!L6]*

# 19x19, a stone of its hunter in the corner: White catches F8, in 42 moves
loadsgf sgf/ladder-15-white.sgf
150 reg_genmove white
#? [G8]*

# 19x19, a stone of its hunter in the corner: White cannot run out with O8, in 41 moves
loadsgf sgf/ladder-16-white.sgf
160 reg_genmove white
#? [!O9]

# 19x19, a breaker far from its start: Black cannot catch L6
loadsgf sgf/ladder-17-black.sgf
170 reg_genmove black
#? [!K6]

# 19x19, a breaker far from its start: White runs out with F9
loadsgf sgf/ladder-18-white.sgf
180 reg_genmove white
#? [G9]

# 19x19, stones of both: Black catches P10, in 14 moves
loadsgf sgf/ladder-19-black.sgf
190 reg_genmove black
#? [O10]*

# 19x19, stones of both: Black cannot run out with K5, in 13 moves
loadsgf sgf/ladder-20-black.sgf
200 reg_genmove black
#? [!J5]

# 19x19, a breaker in the corner: White cannot catch F8
loadsgf sgf/ladder-21-white.sgf
210 reg_genmove white
#? [!F9]

# 19x19, a breaker in the corner: White runs out with O12
loadsgf sgf/ladder-22-white.sgf
220 reg_genmove white
#? [N12]

# 19x19, a breaker in the corner: Black cannot catch J14
loadsgf sgf/ladder-23-black.sgf
230 reg_genmove black
#? [!K14]

# 19x19, a breaker in the centre: Black cannot catch P10
loadsgf sgf/ladder-24-black.sgf
240 reg_genmove black
#? [!P9]

# 19x19, a breaker in the centre: Black runs out with K15
loadsgf sgf/ladder-25-black.sgf
250 reg_genmove black
#? [K14]

# 19x19, a breaker beside its path: White cannot catch G12
loadsgf sgf/ladder-26-white.sgf
260 reg_genmove white
#? [!G11]

# 19x19, a breaker beside its path: White runs out with N12
loadsgf sgf/ladder-27-white.sgf
270 reg_genmove white
#? [M12]

# 13x13, a stone of its hunter in the corner: Black catches F9, in 16 moves
loadsgf sgf/ladder-28-black.sgf
280 reg_genmove black
#? [F8]*

# 13x13, a stone of its hunter in the corner: White cannot run out with E8, in 15 moves
loadsgf sgf/ladder-29-white.sgf
290 reg_genmove white
#? [!E7]

# 13x13, nothing near it: Black catches G4, in 22 moves
loadsgf sgf/ladder-30-black.sgf
300 reg_genmove black
#? [G5]*

# 13x13, nothing near it: Black cannot run out with G10, in 21 moves
loadsgf sgf/ladder-31-black.sgf
310 reg_genmove black
#? [!H10]

# 13x13, a breaker in the corner: White cannot catch E8
loadsgf sgf/ladder-32-white.sgf
320 reg_genmove white
#? [!E7]

# 13x13, a breaker in the corner: White runs out with F5
loadsgf sgf/ladder-33-white.sgf
330 reg_genmove white
#? [F6]
