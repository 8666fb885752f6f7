/** The package has no types; these cover the functions used here. */
declare module '@usebruno/lang' {
  const bruno: {
    /** Serialises a request in Bruno's file format. */
    jsonToBruV2(request: object): string;
    /** Serialises a collection or a folder. */
    jsonToCollectionBru(collection: object): string;
    /** Serialises an environment. */
    envJsonToBruV2(environment: object): string;
  };
  export default bruno;
}
