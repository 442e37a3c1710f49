import { subject } from '../subject.ts'

export const content = subject({
  name: 'content',
  buildsOn: ['chain'],
  entities: () => import('./entities.ts'),
  operations: () => import('./operations.ts'),
})
