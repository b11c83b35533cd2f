/** Pausable of @openzeppelin/contracts 5. */
export const pausable = {
  name: 'Pausable',
  items: `
event Paused(address account)
event Unpaused(address account)
error EnforcedPause()
error ExpectedPause()
function paused() returns (bool)
function pause()
function unpause()
`,
};
