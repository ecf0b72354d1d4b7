# Eye spaces in the corner. Every answer was proved by exhaustive search.

# bent three round the corner; Black kills
loadsgf sgf/corner-bent-three-kill.sgf
10 reg_genmove black
#? [A1]

# bent three round the corner, two outside liberties; White lives
loadsgf sgf/corner-bent-three-live-open.sgf
20 reg_genmove white
#? [A1]

# three in a row in the corner, two outside liberties; Black kills
loadsgf sgf/corner-straight-three-kill-open.sgf
30 reg_genmove black
#? [B1]

# bent four in the corner without outside liberties; Black kills
loadsgf sgf/corner-bent-four-kill.sgf
40 reg_genmove black
#? [B1]

# bent four in the corner without outside liberties; White lives
loadsgf sgf/corner-bent-four-live.sgf
50 reg_genmove white
#? [A1|B1]

# bulky five in the corner, two outside liberties; Black kills
loadsgf sgf/corner-bulky-five-kill-open.sgf
60 reg_genmove black
#? [B1]

# bulky five in the corner without outside liberties; White lives
loadsgf sgf/corner-bulky-five-live.sgf
70 reg_genmove white
#? [B1]

# rectangular six in the corner without outside liberties; Black kills
loadsgf sgf/corner-six-2x3-kill.sgf
80 reg_genmove black
#? [B2|B1]

# rectangular six in the corner without outside liberties; White lives
loadsgf sgf/corner-six-2x3-live.sgf
90 reg_genmove white
#? [B2|B1]

# five beside the corner, two outside liberties; Black kills
loadsgf sgf/corner-five-b-kill-open.sgf
100 reg_genmove black
#? [B1]

# five up the edge, two outside liberties; Black kills
loadsgf sgf/corner-5-d-kill-open.sgf
110 reg_genmove black
#? [B2]

# four at the edge, two outside liberties; White lives
loadsgf sgf/corner-4-t-live-open.sgf
120 reg_genmove white
#? [A2]
