"""`python -m clusterplan`."""

from clusterplan.cli.main import main

main()
