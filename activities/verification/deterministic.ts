import { OPEN_DATA_METHOD, pinnedAddresses } from '../../domain/catalogue/open-data.ts'
import { judgeDeterministic, judgeOpenData } from '../../domain/verification/deterministic.ts'
import { createHandler, type VerifierHandler, type VerifierInput, type VerifierSources } from './handler.ts'

type Sources = Pick<VerifierSources, 'isReachable'>

/** Fetches the submitted addresses only if they equal the pinned ones. */
const judgeAddresses = async ({ definition, submission }: VerifierInput, { isReachable }: Sources) => {
  const pinned = pinnedAddresses(definition.source)
  const before = judgeOpenData(submission, { ...pinned, datasetReachable: true, resourceReachable: true })
  if (before.outcome !== 'approved') return before
  const [datasetReachable, resourceReachable] = await Promise.all([isReachable(pinned.datasetUrl), isReachable(pinned.resourceUrl)])
  return judgeOpenData(submission, { ...pinned, datasetReachable, resourceReachable })
}

/** Judges by comparison with the expected outputs, or by whether the submission has the pinned addresses and they respond. */
export const createDeterministicHandler = (sources: Sources): VerifierHandler =>
  createHandler('deterministic', async (config, input) => {
    const isFetched = input.definition.verification?.method === OPEN_DATA_METHOD
    return isFetched ? judgeAddresses(input, sources) : judgeDeterministic(config, input.submission)
  })
