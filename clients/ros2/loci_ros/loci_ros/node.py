"""The node: topics, services and an action around `Asking`. Not run on a robot by us."""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from typing import Callable, Optional

import rclpy
from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped
from loci_interfaces.action import GoTo
from loci_interfaces.srv import Ask, Find, Goal
from nav2_msgs.action import NavigateToPose
from rclpy.action import ActionClient, ActionServer, CancelResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import MultiThreadedExecutor
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String
from visualization_msgs.msg import Marker, MarkerArray

from .answers import Target, Told, may_go
from .asking import Asking
from .loci import LociError
from .scene import Room, Thing, gone, number_of
from .settings import defaults, settings_of

THREADS = 4
TEXT_M = 0.12
SUCCEEDED = 4
LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class LociNode(Node):
    def __init__(self) -> None:
        super().__init__("loci")
        given = {name: self.declare_parameter(name, value).value for name, value in defaults().items()}
        self.asking = Asking(settings_of(given), os.environ.get("LOCI_TOKEN"))
        self.drawn = {"things": [], "rooms": []}
        group = ReentrantCallbackGroup()
        self.publishers_of = {
            "things": self.create_publisher(MarkerArray, "things", LATCHED),
            "rooms": self.create_publisher(MarkerArray, "rooms", LATCHED),
        }
        self.answers = self.create_publisher(String, "answers", 10)
        self.create_subscription(String, "question", self.on_question, 10, callback_group=group)
        self.create_service(Ask, "ask", self.on_ask, callback_group=group)
        self.create_service(Find, "find", self.on_find, callback_group=group)
        self.create_service(Goal, "goal", self.on_goal, callback_group=group)
        self.nav = ActionClient(self, NavigateToPose, "/navigate_to_pose", callback_group=group)
        self.go = ActionServer(
            self,
            GoTo,
            "go_to",
            execute_callback=self.on_go_to,
            cancel_callback=lambda _: CancelResponse.ACCEPT,
            callback_group=group,
        )
        self.create_timer(self.asking.settings.period_s, self.draw)

    # --- What is published ---

    def draw(self) -> None:
        self._draw("things", self.asking.things, self._thing)
        self._draw("rooms", self.asking.rooms, self._room)

    def _draw(self, what: str, read: Callable, markers_of: Callable) -> None:
        try:
            shapes = read()
        except LociError as error:
            self.get_logger().warning(str(error), throttle_duration_sec=30.0)
            return
        message = MarkerArray()
        for shape in shapes:
            message.markers.extend(markers_of(shape))
        for id in gone(self.drawn[what], [shape.id for shape in shapes]):
            for space in ("shape", "name"):
                message.markers.append(self._marker(id, space, Marker.CUBE, action=Marker.DELETE))
        self.drawn[what] = [shape.id for shape in shapes]
        self.publishers_of[what].publish(message)

    def _thing(self, thing: Thing):
        box = self._marker(thing.id, "shape", Marker.CUBE, at=thing.centre, colour=thing.colour)
        box.scale.x, box.scale.y, box.scale.z = thing.size
        box.color.a = 0.6 if thing.is_sure else 0.25
        x, y, z = thing.centre
        return [box, self._name(thing.id, thing.name, (x, y, z + thing.size[2] / 2 + TEXT_M))]

    def _room(self, room: Room):
        line = self._marker(room.id, "shape", Marker.LINE_STRIP, colour=(0.4, 0.6, 1.0))
        line.scale.x = 0.03
        for corner in room.outline:
            point = PoseStamped().pose.position
            point.x, point.y, point.z = corner
            line.points.append(point)
        return [line, self._name(room.id, room.name, room.middle)]

    def _name(self, id: str, text: str, at) -> Marker:
        marker = self._marker(id, "name", Marker.TEXT_VIEW_FACING, at=at, colour=(1.0, 1.0, 1.0))
        marker.scale.z = TEXT_M
        marker.text = text
        return marker

    def _marker(self, id: str, space: str, kind: int, action: int = Marker.ADD, at=None, colour=(1.0, 1.0, 1.0)):
        marker = Marker()
        marker.header.frame_id = self.asking.settings.frame
        marker.ns, marker.id, marker.type, marker.action = space, number_of(id), kind, action
        marker.pose.orientation.w = 1.0
        if at is not None:
            marker.pose.position.x, marker.pose.position.y, marker.pose.position.z = at
        marker.color.r, marker.color.g, marker.color.b = colour
        marker.color.a = 1.0
        return marker

    # --- What is asked ---

    def on_question(self, message: String) -> None:
        try:
            self._tell(message.data, self.asking.ask(message.data))
        except LociError as error:
            self.get_logger().error(str(error))

    def on_ask(self, request, response):
        def fill() -> None:
            told = self.asking.ask(request.question)
            self._tell(request.question, told)
            response.message, response.status, response.text = told.message, told.status, told.text
            response.confidence, response.evidence = told.confidence, told.evidence
            response.has_pose = told.place is not None
            if told.place is not None:
                response.pose = self._stamped(told.frame, told.place)

        return self._filled(response, fill)

    def on_find(self, request, response):
        def fill() -> None:
            for id, name, score, place in self.asking.find(request.text, request.limit):
                if place is None:
                    continue
                response.ids.append(id)
                response.names.append(name)
                response.scores.append(score)
                response.poses.append(self._stamped(self.asking.settings.frame, place))

        return self._filled(response, fill)

    def on_goal(self, request, response):
        def fill() -> None:
            target = self.asking.goal(request.to)
            response.name, response.pose, response.message = target.name, posed(target), target.message
            response.reachable, response.path_m = target.reachable, target.path_m
            response.age_s, response.stale = target.age_s, target.stale != ""

        return self._filled(response, fill)

    async def on_go_to(self, handle):
        result = GoTo.Result()
        try:
            target = self.asking.goal(handle.request.to)
        except (LociError, LookupError) as error:
            return self._ended(handle, result, str(error))
        result.name, result.pose = target.name, posed(target)
        why = may_go(target, handle.request.even_if_stale)
        if why is None and not self.nav.wait_for_server(timeout_sec=5.0):
            why = "nobody answers on /navigate_to_pose"
        if why is not None:
            return self._ended(handle, result, why)
        goal = NavigateToPose.Goal()
        goal.pose.header, goal.pose.pose = result.pose.header, result.pose.pose.pose

        def on_feedback(message) -> None:
            handle.publish_feedback(GoTo.Feedback(distance_m=float(message.feedback.distance_remaining)))
            if handle.is_cancel_requested:
                driving.cancel_goal_async()

        driving = await self.nav.send_goal_async(goal, feedback_callback=on_feedback)
        if not driving.accepted:
            return self._ended(handle, result, "Nav2 does not take the goal")
        ended = await driving.get_result_async()
        if ended.status == SUCCEEDED:
            return self._ended(handle, result, None)
        if handle.is_cancel_requested:
            handle.canceled()
            result.message = "cancelled"
            return result
        return self._ended(handle, result, f"Nav2 ended with status {ended.status}")

    def _ended(self, handle, result, why: Optional[str]):
        result.success, result.message = why is None, why or ""
        if why is None:
            handle.succeed()
        else:
            handle.abort()
        return result

    def _filled(self, response, fill: Callable[[], None]):
        try:
            fill()
            response.success = True
        except (LociError, LookupError) as error:
            response.success, response.message = False, str(error)
        return response

    def _tell(self, question: str, told: Told) -> None:
        self.answers.publish(String(data=json.dumps({"question": question, **dataclasses.asdict(told)})))

    def _stamped(self, frame: str, place) -> PoseStamped:
        pose = PoseStamped()
        pose.header.frame_id = frame
        pose.pose.position.x, pose.pose.position.y, pose.pose.position.z = place
        pose.pose.orientation.w = 1.0
        return pose


def posed(target: Target) -> PoseWithCovarianceStamped:
    """Stamped 0: as the frames are now."""
    message = PoseWithCovarianceStamped()
    message.header.frame_id = target.frame
    pose = message.pose.pose
    pose.position.x, pose.position.y, pose.position.z = target.position
    pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w = target.orientation
    message.pose.covariance = list(target.covariance)
    return message


def main() -> int:
    rclpy.init()
    try:
        node = LociNode()
    except ValueError as error:
        print(f"loci_ros: {error}", file=sys.stderr)
        return 2
    executor = MultiThreadedExecutor(num_threads=THREADS)
    executor.add_node(node)
    try:
        executor.spin()
    except KeyboardInterrupt:
        pass
    finally:
        node.asking.close()
        node.destroy_node()
        rclpy.try_shutdown()
    return 0
