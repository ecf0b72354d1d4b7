# Games with handicap stones. In the first ones a group of Black's is lost without the right move:
# GNU Go says so, and plays it. In the others White begins: not with a pass, nor at the edge.

# 2 stones at G7 have to be saved
loadsgf sgf/handicap-01.sgf
10 reg_genmove black
#? [F7]

# 3 stones at A3 have to be saved
loadsgf sgf/handicap-02.sgf
20 reg_genmove black
#? [B2|A1]*

# 3 stones at F8 have to be saved
loadsgf sgf/handicap-03.sgf
30 reg_genmove black
#? [F7]

# 6 stones at J4 have to be saved
loadsgf sgf/handicap-04.sgf
40 reg_genmove black
#? [F1]

# 9x9, 2 stones: White begins
loadsgf sgf/handicap-start-9x9-2.sgf
50 reg_genmove white
#? [!pass|resign|[AJ][0-9]+|[A-J](1|9)]

# 9x9, 4 stones: White begins
loadsgf sgf/handicap-start-9x9-4.sgf
60 reg_genmove white
#? [!pass|resign|[AJ][0-9]+|[A-J](1|9)]

# 13x13, 4 stones: White begins
loadsgf sgf/handicap-start-13x13-4.sgf
70 reg_genmove white
#? [!pass|resign|[ABMN][0-9]+|[A-N](1|2|12|13)]

# 13x13, 9 stones: White begins
loadsgf sgf/handicap-start-13x13-9.sgf
80 reg_genmove white
#? [!pass|resign|[ABMN][0-9]+|[A-N](1|2|12|13)]

# 19x19, 4 stones: White begins
loadsgf sgf/handicap-start-19x19-4.sgf
90 reg_genmove white
#? [!pass|resign|[ABST][0-9]+|[A-T](1|2|18|19)]

# 19x19, 9 stones: White begins
loadsgf sgf/handicap-start-19x19-9.sgf
100 reg_genmove white
#? [!pass|resign|[ABST][0-9]+|[A-T](1|2|18|19)]
