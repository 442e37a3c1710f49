// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice Who may do what: owner, pauser, role mappings and the audit trail of verifiers.
abstract contract PolicyRoles {
    struct AuthorizationWindow {
        uint64 since;
        uint64 until;
    }

    event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
    event PauserUpdated(address indexed previousPauser, address indexed newPauser);
    event PauseUpdated(bool paused);
    event AssetApprovalUpdated(address indexed asset, bool approved);
    event StrategyApprovalUpdated(address indexed strategy, bool approved);
    event SettlementBrokerUpdated(address indexed operator, bool approved);
    event AgentTransferBrokerUpdated(address indexed operator, bool approved);
    event StrategySettlerUpdated(address indexed operator, bool approved);
    event ReputationWriterUpdated(address indexed operator, bool approved);
    event OutflowRecorderUpdated(address indexed operator, bool approved);
    event TrustedSchemaIssuerSet(address indexed issuer, bool approved);
    event VerifierUpdated(address indexed verifier, bool approved);
    event ArbitratorUpdated(address indexed arbitrator, bool approved);

    error Unauthorized();
    /// @dev Part of the published interface; no function of this contract reverts with it.
    error Paused();

    address public owner;
    address public pauser;
    bool public paused;
    mapping(address asset => bool) public approvedAssets;
    mapping(address strategy => bool) public approvedStrategies;
    mapping(address operator => bool) public settlementBroker;
    mapping(address operator => bool) public agentTransferBroker;
    mapping(address operator => bool) public strategySettler;
    mapping(address operator => bool) public reputationWriter;
    mapping(address operator => bool) public outflowRecorder;
    mapping(address issuer => bool) public trustedSchemaIssuers;
    mapping(address verifier => bool) public verifiers;
    mapping(address arbitrator => bool) public arbitrators;
    mapping(address verifier => uint64) public authorizedSince;
    mapping(address verifier => uint64) public authorizedUntil;
    mapping(address verifier => AuthorizationWindow[]) private _windows;

    modifier onlyOwner() {
        _requireOwner();
        _;
    }

    constructor() {
        owner = msg.sender;
        emit OwnershipTransferred(address(0), msg.sender);
    }

    /// @notice Hands every owner right to another address.
    function transferOwnership(address newOwner) external onlyOwner {
        require(newOwner != address(0), "ZERO_ADDRESS");
        emit OwnershipTransferred(owner, newOwner);
        owner = newOwner;
    }

    /// @notice Names the address that may pause beside the owner; zero revokes it.
    function setPauser(address newPauser) external onlyOwner {
        emit PauserUpdated(pauser, newPauser);
        pauser = newPauser;
    }

    /// @notice Stops or resumes the protocol.
    function setPaused(bool newPaused) external {
        if (msg.sender != owner && msg.sender != pauser) revert Unauthorized();
        paused = newPaused;
        emit PauseUpdated(newPaused);
    }

    /// @notice Approves a token for custody.
    function setApprovedAsset(address asset, bool approved) external onlyOwner {
        approvedAssets[asset] = approved;
        emit AssetApprovalUpdated(asset, approved);
    }

    /// @notice Approves the adapter of a yield source.
    function setApprovedStrategy(address strategy, bool approved) external onlyOwner {
        approvedStrategies[strategy] = approved;
        emit StrategyApprovalUpdated(strategy, approved);
    }

    /// @notice Lets an operator act for posters and workers in the escrow.
    function setSettlementBroker(address operator, bool approved) external onlyOwner {
        settlementBroker[operator] = approved;
        emit SettlementBrokerUpdated(operator, approved);
    }

    /// @notice Lets an operator hand in transfers that their senders signed.
    function setAgentTransferBroker(address operator, bool approved) external onlyOwner {
        agentTransferBroker[operator] = approved;
        emit AgentTransferBrokerUpdated(operator, approved);
    }

    /// @notice Lets an operator settle requests of asynchronous yield sources.
    function setStrategySettler(address operator, bool approved) external onlyOwner {
        strategySettler[operator] = approved;
        emit StrategySettlerUpdated(operator, approved);
    }

    /// @notice Lets a contract write badges and scores.
    function setReputationWriter(address operator, bool approved) external onlyOwner {
        reputationWriter[operator] = approved;
        emit ReputationWriterUpdated(operator, approved);
    }

    /// @notice Lets a contract count outflows.
    function setOutflowRecorder(address operator, bool approved) external onlyOwner {
        outflowRecorder[operator] = approved;
        emit OutflowRecorderUpdated(operator, approved);
    }

    /// @notice Trusts an issuer of external result schemas.
    function setTrustedSchemaIssuer(address issuer, bool approved) external onlyOwner {
        trustedSchemaIssuers[issuer] = approved;
        emit TrustedSchemaIssuerSet(issuer, approved);
    }

    /// @notice Authorises an arbitrator of disputes.
    function setArbitrator(address arbitrator, bool approved) external onlyOwner {
        arbitrators[arbitrator] = approved;
        emit ArbitratorUpdated(arbitrator, approved);
    }

    /// @notice Authorises a verifier and keeps the window, so that old verdicts stay checkable.
    function setVerifier(address verifier, bool approved) external onlyOwner {
        if (verifiers[verifier] != approved) {
            verifiers[verifier] = approved;
            if (approved) _openWindow(verifier);
            else _closeWindow(verifier);
        }
        emit VerifierUpdated(verifier, approved);
    }

    /// @notice One half-open authorisation window `[since, until)`; `until` is zero while it is open.
    function verifierAuthorizationWindow(address verifier, uint256 index)
        external
        view
        returns (uint64 since, uint64 until)
    {
        AuthorizationWindow storage window = _windows[verifier][index];
        return (window.since, window.until);
    }

    /// @notice Number of windows of a verifier.
    function verifierAuthorizationWindowCount(address verifier) external view returns (uint256) {
        return _windows[verifier].length;
    }

    /// @notice Whether a verifier was authorised at a moment.
    function wasAuthorizedAt(address verifier, uint64 timestamp) external view returns (bool) {
        AuthorizationWindow[] storage list = _windows[verifier];
        for (uint256 i = 0; i < list.length; i++) {
            AuthorizationWindow storage window = list[i];
            if (window.since <= timestamp && (window.until == 0 || timestamp < window.until)) return true;
        }
        return false;
    }

    function _openWindow(address verifier) private {
        uint64 since = uint64(block.timestamp);
        authorizedSince[verifier] = since;
        authorizedUntil[verifier] = 0;
        _windows[verifier].push(AuthorizationWindow(since, 0));
    }

    function _closeWindow(address verifier) private {
        uint64 until = uint64(block.timestamp);
        authorizedUntil[verifier] = until;
        AuthorizationWindow[] storage list = _windows[verifier];
        list[list.length - 1].until = until;
    }

    function _requireOwner() private view {
        if (msg.sender != owner) revert Unauthorized();
    }
}
