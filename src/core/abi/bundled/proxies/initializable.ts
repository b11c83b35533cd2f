/** Initializable of @openzeppelin/contracts 5; in version 4 the event had a uint8. */
export const initializable = {
  name: 'Initializable',
  items: `
event Initialized(uint64 version)
event Initialized(uint8 version)
error InvalidInitialization()
error NotInitializing()
function initialize()
function initialize(address owner)
`,
};
