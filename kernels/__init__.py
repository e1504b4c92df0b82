"""How a schedule evolves: a compiled simulation of a parallel machine, its queue and its scheduler.

Integers and columns only: no files, no clock on the wall, no screen. A simulation is a value that one
function advances (`simulation.Simulation`); policies (`policies`) decide, mechanism (`world.World`) acts.
"""
