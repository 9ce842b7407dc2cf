interface BagSummary {
  readonly file: string;
  readonly startNs: bigint;
  readonly durationNs: bigint;
  readonly topics: readonly { readonly name: string; readonly type: string; readonly count: number }[];
}

/** rosbag2's metadata of a bag, version 5, which every release since Galactic reads; as in the metadata table. */
export function metadataYaml({ file, startNs, durationNs, topics }: BagSummary): string {
  const total = topics.reduce((sum, { count }) => sum + count, 0);
  const time = (indent: string) =>
    `${indent}starting_time:\n${indent}  nanoseconds_since_epoch: ${startNs}\n` +
    `${indent}duration:\n${indent}  nanoseconds: ${durationNs}\n`;
  const lines = topics.map(
    ({ name, type, count }) =>
      `  - topic_metadata:\n      name: ${name}\n      type: ${type}\n` +
      `      serialization_format: cdr\n      offered_qos_profiles: ""\n    message_count: ${count}\n`,
  );
  return (
    `version: 5\nstorage_identifier: sqlite3\nrelative_file_paths:\n  - ${file}\n${time("")}` +
    `message_count: ${total}\ntopics_with_message_count:${topics.length ? "\n" : " []\n"}${lines.join("")}` +
    `compression_format: ""\ncompression_mode: ""\n` +
    `files:\n  - path: ${file}\n${time("    ")}    message_count: ${total}\n`
  );
}

/** The same in the form of the file metadata.yaml. */
export function metadataFile(yaml: string): string {
  return `rosbag2_bagfile_information:\n${yaml.replace(/^(?=.)/gm, "  ")}`;
}
