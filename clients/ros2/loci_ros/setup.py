from setuptools import setup

PACKAGE = "loci_ros"

setup(
    name=PACKAGE,
    version="0.1.0",
    packages=[PACKAGE],
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (f"share/{PACKAGE}", ["package.xml"]),
        (f"share/{PACKAGE}/launch", ["launch/loci.launch.py"]),
        (f"share/{PACKAGE}/config", ["config/loci.yaml"]),
    ],
    install_requires=["setuptools"],
    license="Apache-2.0",
    entry_points={"console_scripts": [f"loci_node = {PACKAGE}.node:main"]},
)
