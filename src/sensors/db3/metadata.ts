interface BagSummary {
  readonly file: string;
  readonly startNs: bigint;
  readonly durationNs: bigint;
  readonly topics: readonly { readonly name: string; readonly type: string; readonly count: number }[];
}

/** The metadata.yaml of a rosbag2 folder, version 5, which every release since Galactic reads. */
export function metadataYaml({ file, startNs, durationNs, topics }: BagSummary): string {
  const total = topics.reduce((sum, { count }) => sum + count, 0);
  const time = (indent: string) =>
    `${indent}starting_time:\n${indent}  nanoseconds_since_epoch: ${startNs}\n` +
    `${indent}duration:\n${indent}  nanoseconds: ${durationNs}\n`;
  const lines = topics.map(
    ({ name, type, count }) =>
      `    - topic_metadata:\n        name: ${name}\n        type: ${type}\n` +
      `        serialization_format: cdr\n        offered_qos_profiles: ""\n      message_count: ${count}\n`,
  );
  return (
    `rosbag2_bagfile_information:\n  version: 5\n  storage_identifier: sqlite3\n` +
    `  relative_file_paths:\n    - ${file}\n${time("  ")}  message_count: ${total}\n` +
    `  topics_with_message_count:${topics.length ? "\n" : " []\n"}${lines.join("")}` +
    `  compression_format: ""\n  compression_mode: ""\n` +
    `  files:\n    - path: ${file}\n${time("      ")}      message_count: ${total}\n`
  );
}
