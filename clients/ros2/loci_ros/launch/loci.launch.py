"""Starts the node with config/loci.yaml; what is given here goes before the file."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    file = PathJoinSubstitution([FindPackageShare("loci_ros"), "config", "loci.yaml"])
    names = {
        "url": ("http://127.0.0.1:7077", "the memory's server"),
        "frame": ("map", "what the robot calls its map"),
        "agent": ("", "the robot's name in the memory"),
        "scene": ("", "the scene that is asked"),
    }
    return LaunchDescription(
        [DeclareLaunchArgument(name, default_value=value, description=says) for name, (value, says) in names.items()]
        + [
            Node(
                package="loci_ros",
                executable="loci_node",
                namespace="loci",
                name="loci",
                output="screen",
                parameters=[file, {name: LaunchConfiguration(name) for name in names}],
            )
        ]
    )
