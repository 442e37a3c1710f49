import type { OperationSpec, Toolset } from '../../schemas/operations/operation.ts'

/** Block of a product that is not available yet. */
const NOT_YET = { available: false, reason: 'not_in_this_release' } as const

/** A product with the operations below a path that serve it. */
const product = (operations: readonly OperationSpec[], path: string, description: string) => {
  const found = operations.filter((spec) => spec.path === path || spec.path.startsWith(`${path}/`))
  const entrypoints = found.map((spec) => `${spec.method} ${spec.path}`).toSorted()
  return entrypoints.length === 0 ? NOT_YET : { available: true, description, entrypoints }
}

/** The products, each as far as the registry serves it. */
export const productsOf = (operations: readonly OperationSpec[]) => ({
  verify: product(operations, '/verify/runs', 'A verifier judges work that was done elsewhere.'),
  proofGatedEscrow: product(operations, '/poster/jobs', 'A poster puts a reward into escrow; a verdict releases it.'),
  workReceipts: product(operations, '/receipts', 'A signed statement of an ended session or paid run, which anyone can verify.'),
})

/** Jobs of other posters, as far as the registry serves their drafts. */
export const externalBountiesOf = (operations: readonly OperationSpec[]) =>
  product(operations, '/jobs/draft', 'A poster lists a job of its own and pays for it.')

/** Where posters start; null while no operation answers there. */
export const posterEntrypointOf = (operations: readonly OperationSpec[]): string | null =>
  operations.find(({ path }) => path === '/poster/onboarding')?.path ?? null

/** Tools of the public list: without sign-in exchanges and tools that change state. */
export const directoryTools = (operations: readonly OperationSpec[]): { name: string; description: string }[] =>
  operations.flatMap(({ tool, summary }) => (tool?.directory ? [{ name: tool.name, description: summary }] : []))

/** Names of the tools of a list, in the order of the registry. */
export const toolNames = (operations: readonly OperationSpec[], set: Toolset): string[] =>
  operations.flatMap(({ tool }) => (tool?.sets.includes(set) ? [tool.name] : []))
