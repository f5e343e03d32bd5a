# `gnuplot astrom2008-fig4.gp` in this folder draws astrom2008-fig4.svg and astrom2008-fig4.png again.
picture = exists('picture') ? 'png' : 'svg'
if (picture eq 'svg') set terminal svg noenhanced size 1120,720 font 'sans-serif,13' linewidth 1 background rgb 'white'
if (picture eq 'png') set terminal pngcairo noenhanced size 2240,1440 font 'sans-serif,20' linewidth 2 background rgb 'white'
set output 'astrom2008-fig4.'.picture
set encoding utf8
set datafile separator comma
set datafile columnheaders
set border 3 linewidth 0.8 linecolor rgb '#333333'
set tics nomirror out scale 0.6
set grid linetype 1 linewidth 0.6 linecolor rgb '#dddddd'
set key at graph 0, graph 1.01 left bottom horizontal Left reverse samplen 2.5
set offsets graph 0.01, graph 0.02, graph 0.06, graph 0.06
set autoscale noextend
set multiplot title 'Stick-slip in slow motion: soft bristles'

set title '' offset 0,0
set key maxcols 1
set xlabel ''
set format x ''
set ylabel 'position x [m]' offset 0.2,0
set lmargin at screen 0.075
set rmargin at screen 0.5621
set bmargin at screen 0.6694
set tmargin at screen 0.9236
unset label
unset arrow
plot 'astrom2008-fig4.points.csv' using 1:2 with lines linewidth 1.6 dashtype solid linecolor rgb '#12355b' notitle

set title '' offset 0,0
set key maxcols 1
set xlabel ''
set format x ''
set ylabel 'velocity v [m/s]' offset 0.2,0
set lmargin at screen 0.075
set rmargin at screen 0.5621
set bmargin at screen 0.3792
set tmargin at screen 0.6333
unset label
unset arrow
plot 'astrom2008-fig4.points.csv' using 1:3 with lines linewidth 1.6 dashtype solid linecolor rgb '#12355b' notitle

set title '' offset 0,0
set key maxcols 1
set xlabel 'time t [s]'
set format x '%h'
set ylabel 'friction force F [N]' offset 0.2,0
set lmargin at screen 0.075
set rmargin at screen 0.5621
set bmargin at screen 0.08889
set tmargin at screen 0.3431
unset label
unset arrow
plot 'astrom2008-fig4.points.csv' using 1:4 with lines linewidth 1.6 dashtype solid linecolor rgb '#12355b' notitle

set title '' offset 0,1
set key maxcols 1
set xlabel 'elongation of the spring [m]'
set format x '%h'
set ylabel 'velocity v [m/s]' offset 0.2,0
set lmargin at screen 0.655
set rmargin at screen 0.9821
set bmargin at screen 0.08889
set tmargin at screen 0.9236
unset label
unset arrow
set label '' at 0,0 front point pointtype 6 pointsize 1.3 linewidth 1.8 linecolor rgb '#12355b'
set arrow from 0.5196710869574721,0.0016037933826920172 to 0.5396549838912769,0.0016168550483096822 front filled size screen 0.009821,18,60 fixed linewidth 1.2 linecolor rgb '#12355b'
set arrow from 2.3170677259344234,0.006110727757087132 to 2.337005603664826,0.006316063744365173 front filled size screen 0.009821,18,60 fixed linewidth 1.2 linecolor rgb '#12355b'
set arrow from 3.4026771753564278,1.428177578073986 to 3.4082091472846363,1.4654402654049692 front filled size screen 0.009821,18,60 fixed linewidth 1.2 linecolor rgb '#12355b'
set arrow from 3.056833782011267,3.5920957594720404 to 3.0407726813044733,3.620066180228605 front filled size screen 0.009821,18,60 fixed linewidth 1.2 linecolor rgb '#12355b'
set arrow from 1.5170050410292402,4.500505360685621 to 1.4920186164713751,4.4966968913223315 front filled size screen 0.009821,18,60 fixed linewidth 1.2 linecolor rgb '#12355b'
set arrow from 0.12485393129658756,3.2245030652300226 to 0.11275989312669171,3.1942692957875503 front filled size screen 0.009821,18,60 fixed linewidth 1.2 linecolor rgb '#12355b'
set arrow from -0.10879774593245928,1.9687894959386316 to -0.10831798625447617,1.935265755600041 front filled size screen 0.009821,18,60 fixed linewidth 1.2 linecolor rgb '#12355b'
plot 'astrom2008-fig4.points.csv' using 5:6 with lines linewidth 1.6 dashtype solid linecolor rgb '#12355b' notitle, \
     keyentry with points pointtype 6 pointsize 1.3 linewidth 1.8 linecolor rgb '#12355b' title 'start'

unset multiplot
set output
if (picture eq 'svg') reread
