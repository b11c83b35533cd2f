const dollar = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

/** Who is paid this month, and how much in cents. */
export const payout = [
  { member: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC', cents: 120_00n },
  { member: '0x90F79bf6EB2c4f870365E785982E1f101E93b906', cents: 80_50n },
  { member: '0x0ce1a1C3C97Fe4d7561BCdDD3bb4b53479d7dFDE', cents: 15_00n },
];

console.log(`${payout.length} transfers of ${dollar}`);
