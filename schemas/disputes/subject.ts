import { subject } from '../subject.ts'
import * as entities from './entities.ts'
import * as operations from './operations.ts'
import * as reviews from './review-operations.ts'

export const disputes = subject({
  name: 'disputes',
  buildsOn: ['content', 'identity', 'settlement'],
  entities,
  operations: { ...reviews, ...operations },
})
