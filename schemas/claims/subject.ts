import { subject } from '../subject.ts'

export const claims = subject({
  name: 'claims',
  buildsOn: ['eligibility', 'verification'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
})
