export { type ConnectOptions, connect } from "./connect.ts";
export { wasNeverSent } from "./http-client.ts";
export { connectPeer } from "./sync-peer.ts";
