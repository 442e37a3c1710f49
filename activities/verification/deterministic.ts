import { judgeDeterministic, judgeOpenData, OPEN_DATA_METHOD, pinnedAddresses } from '../../domain/verification/deterministic.ts'
import { type VerifierHandler, type VerifierInput, type VerifierSources, verdictOf, wrongConfig } from './handler.ts'

type Sources = Pick<VerifierSources, 'isReachable'>

/** Addresses are fetched only once they are the pinned ones: nothing a worker names is. */
const judgeAddresses = async ({ definition, submission }: VerifierInput, { isReachable }: Sources) => {
  const pinned = pinnedAddresses(definition.source)
  const before = judgeOpenData(submission, { ...pinned, datasetReachable: true, resourceReachable: true })
  if (before.outcome !== 'approved') return before
  const [datasetReachable, resourceReachable] = await Promise.all([isReachable(pinned.datasetUrl), isReachable(pinned.resourceUrl)])
  return judgeOpenData(submission, { ...pinned, datasetReachable, resourceReachable })
}

/** Judges by comparison with the expected outputs, or by whether the pinned addresses were found and answer. */
export const createDeterministicHandler = (world: Sources): VerifierHandler => ({
  handler: 'deterministic',
  async evaluate(input) {
    const { config, definition, submission } = input
    if (config.handler !== 'deterministic') return wrongConfig(input, 'deterministic')
    const fetched = definition.verification?.method === OPEN_DATA_METHOD
    return verdictOf(input, 'deterministic', fetched ? await judgeAddresses(input, world) : judgeDeterministic(config, submission))
  },
})
