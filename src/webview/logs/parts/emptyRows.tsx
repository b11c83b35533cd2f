import type { EmptyRows as Empty, EmptyOffer } from '../../../features/logs/protocol/emptyRows.ts';

/** Why there are no rows, in their place, and what can be done. */
export function EmptyRows({
  empty: { title, detail, reasons },
  onOffer,
}: {
  readonly empty: Empty;
  readonly onOffer: (offer: EmptyOffer) => void;
}) {
  return (
    <section class="empty" aria-label={title}>
      <h2>{title}</h2>
      <p class="where">{detail}</p>
      {reasons.map(({ text, offers }) => (
        <div key={text} class="reason">
          {text !== '' && <p>{text}</p>}
          <ul class="offers">
            {offers.map((offer) => (
              <li key={offer.label}>
                <button type="button" class="plain" onClick={() => onOffer(offer)}>
                  {offer.label}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
