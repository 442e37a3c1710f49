// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {AccountBase} from "./AccountBase.sol";
import {Signatures} from "../lib/Signatures.sol";

/// @notice Transfers between accounts inside the ledger, by the sender or with the sender's signature.
abstract contract AccountTransfers is AccountBase {
    bytes32 public constant SEND_TO_AGENT_TYPEHASH = keccak256(
        "SendToAgent(address from,address recipient,address asset,uint256 amount,uint256 nonce,uint256 deadline)"
    );

    event AgentTransfer(address indexed from, address indexed to, address indexed asset, uint256 amount);
    event SendToAgentAuthorizationUsed(address indexed from, uint256 indexed nonce, bytes32 indexed digest);

    error AuthorizationAlreadyUsed();
    error ExpiredAuthorization();
    error InvalidSignature();

    mapping(address from => mapping(uint256 nonce => bool)) public sendToAgentAuthorizationUsed;

    modifier onlyAgentTransferBroker() {
        if (!policy.agentTransferBroker(msg.sender)) revert Unauthorized();
        _;
    }

    /// @notice Sends spendable funds of the caller to another account.
    function sendToAgent(address recipient, address asset, uint256 amount)
        external
        whenNotPaused
        onlySupportedAsset(asset)
    {
        _send(msg.sender, recipient, asset, amount);
    }

    /// @notice Sends spendable funds of an account that signed for it. A nonce is any unused number.
    function sendToAgentFor(
        address from,
        address recipient,
        address asset,
        uint256 amount,
        uint256 nonce,
        uint256 deadline,
        bytes calldata signature
    ) external whenNotPaused onlyAgentTransferBroker onlySupportedAsset(asset) {
        if (block.timestamp > deadline) revert ExpiredAuthorization();
        if (sendToAgentAuthorizationUsed[from][nonce]) revert AuthorizationAlreadyUsed();
        bytes32 digest = hashSendToAgentAuthorization(from, recipient, asset, amount, nonce, deadline);
        address signer = Signatures.recover(digest, signature);
        if (signer == address(0) || signer != from) revert InvalidSignature();
        sendToAgentAuthorizationUsed[from][nonce] = true;
        emit SendToAgentAuthorizationUsed(from, nonce, digest);
        _send(from, recipient, asset, amount);
    }

    /// @notice EIP-712 domain of this contract on the live chain.
    function domainSeparator() public view returns (bytes32) {
        return Signatures.domainSeparator(keccak256("Service AgentAccountCore"), keccak256("1"));
    }

    /// @notice The digest that the sender signs.
    function hashSendToAgentAuthorization(
        address from,
        address recipient,
        address asset,
        uint256 amount,
        uint256 nonce,
        uint256 deadline
    ) public view returns (bytes32) {
        return Signatures.typedDigest(
            domainSeparator(),
            keccak256(abi.encode(SEND_TO_AGENT_TYPEHASH, from, recipient, asset, amount, nonce, deadline))
        );
    }

    function _send(address from, address recipient, address asset, uint256 amount) private {
        if (recipient == address(0) || recipient == from) revert InvalidRecipient();
        if (amount == 0) revert ZeroAmount();
        _spend(from, asset, amount);
        positions[recipient][asset].liquid += amount;
        emit AgentTransfer(from, recipient, asset, amount);
    }
}
