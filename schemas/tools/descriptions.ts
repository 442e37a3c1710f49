/** Members of the endpoint of the Model Context Protocol. */
export const TOOL_MEMBERS = {
  transport: 'Transport of the protocol.',
  protocolVersions: 'Revisions of the protocol that the service speaks, newest first.',
  connect: 'Where a client connects.',
  install: 'Entry for the configuration file of a client.',
  toolset: '`all`, or names of tool lists, separated by commas.',
  toolsets: 'Lists of tools, each with the address that shows it.',
  plainHttpAlternative: 'Description of the same functions over HTTP.',
  jsonrpc: 'Version of JSON-RPC.',
} as const
