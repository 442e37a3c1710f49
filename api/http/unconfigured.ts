import type { Answer, HandlersOf, OperationSpec } from '../../schemas/operations/operation.ts'

/** Handlers of operations whose contract this chain does not have: each answers, or throws, the same. */
export const createUnconfiguredHandlers = <Specs extends Readonly<Record<string, OperationSpec>>>(
  operations: Specs,
  answer: () => Promise<Answer<Specs[keyof Specs]>>,
) => Object.fromEntries(Object.keys(operations).map((name) => [name, answer])) as unknown as HandlersOf<Specs>
