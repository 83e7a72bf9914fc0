"""The commands of the command line, a module for each room of the house: each is found by itself."""
