# Eye spaces with a vital point. Every answer was proved by exhaustive search.

# three in a row; Black kills
loadsgf sgf/nakade-straight-three-kill.sgf
10 reg_genmove black
#? [D4]

# three in a row; White lives
loadsgf sgf/nakade-straight-three-live.sgf
20 reg_genmove white
#? [D4]

# bent three, two outside liberties; Black kills
loadsgf sgf/nakade-bent-three-kill-open.sgf
30 reg_genmove black
#? [D4]

# bent three, two outside liberties; White lives
loadsgf sgf/nakade-bent-three-live-open.sgf
40 reg_genmove white
#? [D4]

# pyramid four; Black kills
loadsgf sgf/nakade-pyramid-four-kill.sgf
50 reg_genmove black
#? [D4]

# pyramid four, two outside liberties; White lives
loadsgf sgf/nakade-pyramid-four-live-open.sgf
60 reg_genmove white
#? [D4]

# bulky five; Black kills
loadsgf sgf/nakade-bulky-five-kill.sgf
70 reg_genmove black
#? [D4]

# bulky five, two outside liberties; White lives
loadsgf sgf/nakade-bulky-five-live-open.sgf
80 reg_genmove white
#? [D5|C4|D4]

# crossed five; Black kills
loadsgf sgf/nakade-crossed-five-kill.sgf
90 reg_genmove black
#? [D4]

# crossed five, two outside liberties; White lives
loadsgf sgf/nakade-crossed-five-live-open.sgf
100 reg_genmove white
#? [D4]

# rabbity six; Black kills
loadsgf sgf/nakade-rabbity-six-kill.sgf
110 reg_genmove black
#? [D4]

# rabbity six, two outside liberties; Black kills
loadsgf sgf/nakade-rabbity-six-kill-open.sgf
120 reg_genmove black
#? [D4]

# pyramid four at the edge, two outside liberties; Black kills
loadsgf sgf/nakade-edge-pyramid-four-kill-open.sgf
130 reg_genmove black
#? [D1]

# bulky five at the edge, two outside liberties; Black kills
loadsgf sgf/nakade-edge-bulky-five-kill-open.sgf
140 reg_genmove black
#? [D1]
