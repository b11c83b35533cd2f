/** ReentrancyGuard of @openzeppelin/contracts 5. */
export const reentrancyGuard = {
  name: 'ReentrancyGuard',
  items: `
error ReentrancyGuardReentrantCall()
`,
};
