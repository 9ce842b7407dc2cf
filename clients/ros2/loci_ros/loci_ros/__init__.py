"""A Loci memory on a robot's graph. Everything but `node` is plain Python."""
