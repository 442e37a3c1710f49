import type { OperationSpec, Toolset } from '../../schemas/operations/operation.ts'

/** Version of the capability manifest, the same in every document. */
export const MANIFEST_VERSION = '0.4.0'

/** Tools of the public list: without sign-in exchanges and tools that change state. */
export const directoryTools = (operations: readonly OperationSpec[]): { name: string; description: string }[] =>
  operations.flatMap(({ tool, summary }) => (tool?.directory ? [{ name: tool.name, description: summary }] : []))

/** Names of the tools of a list, in the order of the registry. */
export const toolNames = (operations: readonly OperationSpec[], set: Toolset): string[] =>
  operations.flatMap(({ tool }) => (tool?.sets.includes(set) ? [tool.name] : []))
