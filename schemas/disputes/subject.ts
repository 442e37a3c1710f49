import { subject } from '../subject.ts'

export const disputes = subject({
  name: 'disputes',
  buildsOn: ['deliveries', 'content', 'identity', 'settlement'],
  entities: () => import('./entities.ts'),
  operations: async () => ({ ...(await import('./review-operations.ts')), ...(await import('./operations.ts')) }),
})
